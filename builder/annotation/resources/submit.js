(function () {
  "use strict";
  var asked = new URLSearchParams(location.search);
  var form = document.getElementById("mturk_form");
  form.elements.namedItem("assignmentId").value = asked.get("assignmentId") || "";
  // the service says where answers go; anything but its own protocol is not followed
  var place = asked.get("turkSubmitTo") || "";
  if (/^https?:\/\//.test(place)) { form.action = place.replace(/\/+$/, "") + "/mturk/externalSubmit"; }
}());
