"""The addresses of a Turkle for one test: work, log in, API."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth import urls as auth_urls
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("turkle.api.urls")),
    path("", include(auth_urls)),
    path("", include("turkle.urls")),
]
