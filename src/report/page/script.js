"use strict";
// Adds what a page cannot do by itself: picking a site in the charts, and the explorer of queries. Texts of the run
// reach the page through textContent only.
(() => {
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };

  // Picking a site: by name from the list, or by a button of the legend.
  for (const figure of document.querySelectorAll(".figure:has([data-pick])")) {
    const list = figure.querySelector("select[data-pick]");
    const buttons = [...figure.querySelectorAll("button[data-pick]")];
    const pick = (site) => {
      for (const shape of figure.querySelectorAll("[data-site]")) {
        shape.classList.toggle("is-picked", site !== "" && shape.getAttribute("data-site") === site);
      }
      figure.classList.toggle("picked", site !== "");
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.pick === site));
      list.value = site;
    };
    list.addEventListener("change", () => pick(list.value));
    for (const button of buttons) {
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => pick(list.value === button.dataset.pick ? "" : button.dataset.pick));
    }
    figure.querySelector(".picker").hidden = false;
  }

  // A link to a site or query opens it.
  const openTarget = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id === "" ? null : document.getElementById(id);
    if (target instanceof HTMLDetailsElement) target.open = true;
    if (id.startsWith("query=")) showQuery(id.slice("query=".length));
  };
  addEventListener("hashchange", openTarget);

  const source = document.getElementById("query-data");
  let showQuery = () => {};
  if (source !== null) {
    const data = JSON.parse(source.textContent);
    const rows = data.queries.map((row) => ({
      id: row[0],
      at: row[1],
      took: row[2],
      assistant: data.assistants[row[3]],
      task: data.tasks[row[4]],
      outcome: data.outcomes[row[5]],
      question: data.questions[row[6]] ?? "",
      score: row[7],
      timeline: row[8],
    }));
    const explorer = document.getElementById("explorer");
    const [search, outcome, assistant, timelines] = ["search", "outcome", "assistant", "timelines"].map((name) =>
      explorer.querySelector(`[name=${name}]`),
    );
    const body = explorer.querySelector("tbody");
    const status = explorer.querySelector("[role=status]");
    const [back, on] = ["back", "on"].map((name) => explorer.querySelector(`[name=${name}]`));
    const detail = document.getElementById("query-detail");
    const perPage = 25;
    let page = 0;
    let found = rows;

    const clock = (ms) => {
      const seconds = Math.floor(ms / 1000);
      const two = (value) => String(Math.floor(value)).padStart(2, "0");
      const day = Math.floor(seconds / 86400);
      return `${day > 0 ? `day ${day + 1}, ` : ""}${two((seconds / 3600) % 24)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
    };
    const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

    const draw = () => {
      const pages = Math.max(1, Math.ceil(found.length / perPage));
      page = Math.min(page, pages - 1);
      const shown = found.slice(page * perPage, (page + 1) * perPage);
      body.replaceChildren(
        ...shown.map((row) => {
          const button = make("button", { type: "button", class: "query-link" }, row.id);
          button.addEventListener("click", () => showQuery(row.id, true));
          return make(
            "tr",
            {},
            make("th", { scope: "row" }, button),
            make("td", {}, clock(row.at)),
            make("td", {}, row.question),
            make("td", {}, row.assistant),
            make("td", {}, row.outcome),
            make("td", { class: "num" }, row.score === null ? "–" : row.score.toFixed(2)),
            make("td", { class: "num" }, seconds(row.took)),
            make("td", {}, row.timeline === null ? "" : "yes"),
          );
        }),
      );
      const first = found.length === 0 ? 0 : page * perPage + 1;
      status.textContent = `${first} to ${first + shown.length - (found.length === 0 ? 0 : 1)} of ${found.length} queries found, page ${page + 1} of ${pages}`;
      back.disabled = page === 0;
      on.disabled = page >= pages - 1;
    };

    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      found = rows.filter(
        (row) =>
          (outcome.value === "" || row.outcome === outcome.value) &&
          (assistant.value === "" || row.assistant === assistant.value) &&
          (!timelines.checked || row.timeline !== null) &&
          words.every((word) => `${row.id} ${row.question}`.toLowerCase().includes(word)),
      );
      page = 0;
      draw();
    };
    search.addEventListener("input", filter);
    for (const each of [outcome, assistant, timelines]) each.addEventListener("change", filter);
    back.addEventListener("click", () => (page--, draw()));
    on.addEventListener("click", () => (page++, draw()));

    showQuery = (id, focus) => {
      const row = rows.find((each) => each.id === id);
      if (!row) return;
      const pair = (name, value) => [make("dt", {}, name), make("dd", {}, ...[value].flat())];
      const heading = make("h3", { tabindex: "-1" }, `Query ${row.id}`);
      const pairs = make(
        "dl",
        { class: "pairs" },
        ...pair("Question", row.question),
        ...pair("Asked", `at ${clock(row.at)} of virtual time, ${row.task}, ${row.assistant}`),
        ...pair("Outcome", `${row.outcome} after ${seconds(row.took)}`),
      );
      const parts = [heading, pairs];
      const timeline = row.timeline === null ? null : data.timelines[row.timeline];
      if (timeline === null) {
        parts.push(make("p", { class: "note" }, "The steps of this query are not in this page; they are in trace.jsonl."));
      } else {
        const relevant = new Set(timeline.relevant);
        const answer = timeline.answer.flatMap((each, index) => [
          index === 0 ? "" : ", ",
          make("span", { class: relevant.has(each) ? "relevant" : null }, each + (relevant.has(each) ? " ✓" : "")),
        ]);
        pairs.append(...pair("Answer", answer.length === 0 ? "none" : answer));
        pairs.append(...pair("Relevant", timeline.relevant.length === 0 ? "none known" : timeline.relevant.join(", ")));
        pairs.append(
          ...pair("Scores", timeline.measures.map(([name, value]) => `${name} ${value}`).join(", ") || "not scored"),
        );
        const steps = timeline.steps.map(([after, who, what, detail]) =>
          make(
            "tr",
            {},
            make("th", { scope: "row" }, seconds(after)),
            make("td", {}, data.names[who]),
            make("td", {}, data.names[what]),
            make("td", {}, typeof detail === "number" ? data.names[detail] : detail),
          ),
        );
        const head = make("tr", {}, ...["after", "who", "does", "what"].map((name) => make("th", { scope: "col" }, name)));
        const table = make("table", { class: "steps" }, make("thead", {}, head), make("tbody", {}, ...steps));
        parts.push(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Steps of ${row.id}` }, table));
        if (timeline.left > 0) parts.push(make("p", { class: "note" }, `${timeline.left} further steps are left out.`));
      }
      const close = make("button", { type: "button", class: "button" }, "Close");
      close.addEventListener("click", () => {
        detail.replaceChildren();
        history.replaceState(null, "", "#queries");
      });
      detail.replaceChildren(...parts, close);
      if (focus) {
        history.replaceState(null, "", `#query=${encodeURIComponent(id)}`);
        heading.focus();
      }
      detail.scrollIntoView({ block: "nearest" });
    };
    explorer.hidden = false;
    draw();
  }
  openTarget();
})();
