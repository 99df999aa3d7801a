"""The services that judge batches, by name."""

from collections.abc import Mapping

from ncimp.builder.annotation.services.label_studio import LABEL_STUDIO
from ncimp.builder.annotation.services.mturk import MTURK
from ncimp.builder.annotation.services.prolific import PROLIFIC
from ncimp.builder.annotation.services.service import Service
from ncimp.builder.annotation.services.turkle import TURKLE

SERVICES: Mapping[str, Service] = {service.name: service for service in (MTURK, TURKLE, LABEL_STUDIO, PROLIFIC)}
