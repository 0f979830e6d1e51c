/* SPDX-License-Identifier: BSD-3-Clause */
/* The search of the reference: names.js, which every page loads, has [name, kind, link, summary] for each name. */
(function () {
    "use strict";
    var most = 30;
    var input = document.getElementById("search");
    var list = document.getElementById("found");
    var chosen = -1;

    /* How well a name fits: 0 is best; Infinity: not. All words of the query must occur. */
    function distance(row, words) {
        var name = row[0].toLowerCase(), all = name + " " + row[3].toLowerCase();
        if (!words.every(function (word) { return all.indexOf(word) >= 0; }))
            return Infinity;
        var query = words.join("_");
        if (name === query || name === "cohort_" + query)
            return 0;
        if (name.indexOf(query) === 0 || name.indexOf("cohort_" + query) === 0)
            return 1;
        if (name.indexOf(query) >= 0)
            return 2;
        return words.every(function (word) { return name.indexOf(word) >= 0; }) ? 3 : 4;
    }

    function find(query) {
        var words = query.toLowerCase().split(/\s+/).filter(Boolean);
        if (words.length === 0)
            return [];
        return cohortNames.map(function (row) { return [distance(row, words), row]; })
            .filter(function (pair) { return pair[0] < Infinity; })
            .sort(function (a, b) { return a[0] - b[0] || a[1][0].length - b[1][0].length; })
            .slice(0, most).map(function (pair) { return pair[1]; });
    }

    function element(name, text, className) {
        var made = document.createElement(name);
        made.textContent = text;
        if (className)
            made.className = className;
        return made;
    }

    function show() {
        var rows = find(input.value);
        list.textContent = "";
        rows.forEach(function (row, i) {
            var item = element("li", "");
            var link = element("a", "");
            item.id = "found" + i;
            item.setAttribute("role", "option");
            link.href = row[2];
            link.tabIndex = -1;
            link.appendChild(element("code", row[0]));
            link.appendChild(element("span", row[1] + ": " + row[3], "summary"));
            item.appendChild(link);
            list.appendChild(item);
        });
        if (rows.length === 0 && input.value.trim() !== "")
            list.appendChild(element("li", "No name or summary has these words.", "none"));
        list.hidden = list.childNodes.length === 0;
        input.setAttribute("aria-expanded", String(!list.hidden));
        choose(rows.length > 0 ? 0 : -1);
    }

    function choose(i) {
        var items = list.querySelectorAll("[role=option]");
        if (chosen >= 0 && items[chosen])
            items[chosen].removeAttribute("aria-selected");
        chosen = items.length === 0 ? -1 : (i + items.length) % items.length;
        if (chosen >= 0) {
            items[chosen].setAttribute("aria-selected", "true");
            items[chosen].scrollIntoView({ block: "nearest" });
            input.setAttribute("aria-activedescendant", items[chosen].id);
        } else {
            input.removeAttribute("aria-activedescendant");
        }
    }

    function hide() {
        list.hidden = true;
        input.setAttribute("aria-expanded", "false");
    }

    function open() {
        var link = list.querySelector("[aria-selected] a");
        if (link) {
            hide();
            window.location.href = link.href;
        }
    }

    input.addEventListener("input", show);
    input.addEventListener("keydown", function (event) {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
            event.preventDefault();
        } else if (event.key === "Escape") {
            hide();
        }
    });
    input.form.addEventListener("submit", function (event) {
        event.preventDefault();
        open();
    });
    list.addEventListener("click", hide);
    document.addEventListener("keydown", function (event) {
        if (event.key === "/" && document.activeElement !== input) {
            input.focus();
            event.preventDefault();
        }
    });
    /* On a small screen the headers are behind their heading. */
    var headers = document.querySelector("nav details");
    if (headers && window.matchMedia("(max-width: 60rem)").matches)
        headers.open = false;
}());
