"use strict";
// Topics as circles; the words of the chosen one by relevance (Sievert and Shirley 2014).
(function () {
    const source = document.getElementById("topics");
    if (!source) return;
    const data = JSON.parse(source.textContent);
    const view = document.getElementById("view");
    const [map, bars] = view.querySelectorAll("svg");
    const slider = document.getElementById("lambda");
    let chosen = 0;

    function add(parent, name, attributes, text) {
        const node = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const key in attributes) node.setAttribute(key, attributes[key]);
        if (text !== undefined) node.textContent = text;
        return parent.appendChild(node);
    }

    const circles = data.topics.map(function (topic, k) {
        const at = { cx: 200 + 150 * topic.at[0], cy: 200 + 150 * topic.at[1] };
        const circle = add(map, "circle", { ...at, r: Math.max(6, 90 * Math.sqrt(topic.share)), tabindex: 0, role: "button" });
        add(circle, "title", {}, "component " + (k + 1) + ": " + (100 * topic.share).toFixed(1) + " %");
        add(map, "text", { x: at.cx, y: at.cy + 4, "text-anchor": "middle", "pointer-events": "none" }, k + 1);
        circle.addEventListener("click", function () { choose(k); });
        circle.addEventListener("keydown", function (event) { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(k); } });
        return circle;
    });

    function relevance(word, lambda) {
        return lambda * Math.log(word.p) + (1 - lambda) * Math.log(word.p / data.overall[word.v]);
    }

    function choose(k) {
        chosen = k;
        circles.forEach(function (circle, other) { circle.classList.toggle("chosen", other === k); });
        const lambda = Number(slider.value);
        const words = data.topics[k].words.filter(function (word) { return word.p > 0; });
        words.sort(function (a, b) { return relevance(b, lambda) - relevance(a, lambda); });
        const shown = words.slice(0, 20);
        const most = Math.max.apply(null, shown.map(function (word) { return Math.max(word.p * data.topics[k].share, data.overall[word.v]); }));
        bars.replaceChildren();
        add(bars, "text", { x: 0, y: 14, "font-weight": "bold" }, "component " + (k + 1) + ": " + (100 * data.topics[k].share).toFixed(1) + " %");
        shown.forEach(function (word, row) {
            const y = 24 + 18 * row;
            add(bars, "text", { x: 120, y: y + 11, "text-anchor": "end" }, data.labels[word.v]);
            add(bars, "rect", { x: 128, y: y, width: 260 * data.overall[word.v] / most, height: 14, fill: "#d5dbe2" });
            add(bars, "rect", { x: 128, y: y, width: 260 * word.p * data.topics[k].share / most, height: 14, fill: "#c2571a" });
        });
    }

    slider.addEventListener("input", function () { choose(chosen); });
    document.getElementById("controls").hidden = false;
    view.classList.add("shown");
    choose(0);
})();
