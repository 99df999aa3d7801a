(function () {
  "use strict";
  var form = document.getElementById("mturk_form");
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var answers = {};
    new FormData(form).forEach(function (value, name) { answers[name] = value; });
    var told = document.getElementById("answers");
    told.querySelector("p").textContent = form.querySelector(".ncimp").dataset.shown;
    told.querySelector("pre").textContent = JSON.stringify(answers, null, 2);
    told.hidden = false;
    told.focus();
  });
}());
