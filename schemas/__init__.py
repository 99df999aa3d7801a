"""Errors, canonical files and hashes, to be imported from here, and the modules that every other room stands on."""

from ncimp.schemas.errors import *
from ncimp.schemas.files import *
