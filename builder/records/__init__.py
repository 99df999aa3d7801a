"""The records that rooms hand to each other: frozen, and the same, field by field, as their JSON Schemas.

All but those of sources are to be imported from here.
"""

from ncimp.builder.records.composition import *
from ncimp.builder.records.language import *
from ncimp.builder.records.pack_file import *
from ncimp.builder.records.packs import *
from ncimp.builder.records.published import *
from ncimp.builder.records.release import *
from ncimp.builder.records.senses import *
from ncimp.builder.records.words import *
from ncimp.schemas.manifest import MANIFEST, SENSE_SENTENCES, Manifest, ReleaseFile, Source
from ncimp.schemas.records import Span
