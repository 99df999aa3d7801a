(function () {
  "use strict";
  var page = document.currentScript.closest(".ncimp");
  var form = page.closest("form");
  var alertBox = page.querySelector(".alert");
  var button = page.querySelector("button[type=submit]");

  function show(element, text) {
    element.textContent = text;
    element.hidden = text === "";
  }

  function statusOf(sentence) {
    var chosen = sentence.querySelector("fieldset.status input:checked");
    return chosen ? chosen.value : "";
  }

  function tell(group, wrong) {
    show(group.querySelector(".wrong"), wrong ? page.dataset[group.dataset.says] : "");
    if (wrong) { group.setAttribute("aria-invalid", "true"); } else { group.removeAttribute("aria-invalid"); }
  }

  // the scores of a sentence that cannot be judged are switched off, so that they are not sent either
  function arrange(sentence) {
    var off = ["unknown", "nonsense"].indexOf(statusOf(sentence)) >= 0;
    sentence.querySelectorAll("fieldset.score, fieldset.synonyms").forEach(function (group) { group.disabled = off; });
    sentence.querySelector(".scale-note").hidden = off;
    show(sentence.querySelector(".off"), off ? page.dataset.note : "");
  }

  // scores are asked for only once the sentence is said to make sense
  function missing(group) {
    if (group.querySelector("input:checked") !== null) { return false; }
    return group.classList.contains("status") || statusOf(group.closest(".item")) === "judged";
  }

  // the instructions are open until their reader closes them, and stay as they were left from task to task
  function remember(fold) {
    var name = "ncimp-instructions";
    try {
      if (localStorage.getItem(name) === "closed") { fold.open = false; }
      fold.addEventListener("toggle", function () { localStorage.setItem(name, fold.open ? "open" : "closed"); });
    } catch (refused) { fold.open = true; }  // a service may forbid storage; then they are open each time
  }

  function check(event) {
    var groups = Array.prototype.slice.call(page.querySelectorAll("fieldset[role=radiogroup]"));
    var open = groups.filter(missing);
    groups.forEach(function (group) { tell(group, open.indexOf(group) >= 0); });
    show(alertBox, open.length ? page.dataset.summary.replace("{count}", String(open.length)) : "");
    if (open.length) {
      event.preventDefault();
      event.stopImmediatePropagation();
      open[0].querySelector("input").focus({focusVisible: true});
      open[0].scrollIntoView({block: "center"});
    }
  }

  page.querySelectorAll(".item").forEach(function (sentence) {
    sentence.addEventListener("change", function (event) {
      arrange(sentence);
      var group = event.target.closest("fieldset[role=radiogroup]");
      if (group) { tell(group, false); }
      if (!page.querySelector("[aria-invalid]")) { show(alertBox, ""); }
    });
    arrange(sentence);
  });

  remember(page.querySelector("details"));
  if (!form) { return; }
  form.noValidate = true;
  form.addEventListener("submit", check);
  // a service shows the task before it is accepted: what is answered then would be lost
  var asked = new URLSearchParams(location.search);
  if (form.getAttribute("action") === "#" || asked.get("assignmentId") === "ASSIGNMENT_ID_NOT_AVAILABLE") {
    button.disabled = true;
    show(page.querySelector(".not-yet"), page.dataset.preview);
  }
}());
