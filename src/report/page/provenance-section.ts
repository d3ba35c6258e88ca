import { assumptionsOf } from "../assumptions.ts";
import { shareText } from "../units.ts";
import { table } from "./figure.ts";
import { type Html, html } from "./html.ts";
import type { RunPageInput } from "./run-page-input.ts";

/** What the figures rest on, and what names the run exactly. */
export function provenanceSection({ description, metrics }: RunPageInput): Html {
  const { facts } = description;
  return html`<h3>What the figures rest on</h3>
${table(
  "What the figures rest on",
  ["figures", "rest on", "because"],
  assumptionsOf(facts).map(({ figures, tag, because }) => [figures, html`<span class="tag">${tag}</span>`, because]),
)}
<h3>Set-up</h3>
<dl class="pairs">
<dt>Assistants</dt><dd>${facts.assistants.map(
    ({ share, strategy, model, thinking }, index) =>
      html`${index === 0 ? "" : "; "}${shareText(share)} ${strategy}${model === null ? "" : `, ${model}${thinking ? "" : ", not thinking"}`}`,
  )}</dd>
<dt>Tasks</dt><dd>${facts.tasks.join(", ")}</dd>
<dt>Arrivals</dt><dd>${facts.arrivals}</dd>
<dt>Interests</dt><dd>${facts.interests}</dd>
<dt>Horizon</dt><dd>${facts.horizon}</dd>
<dt>Retrieval</dt><dd>${description.retrieval}</dd>
<dt>Trace</dt><dd>${metrics.run.traceSha256 === null ? "none: the run did not complete" : html`<code>${metrics.run.traceSha256}</code>`}</dd>
${Object.entries(facts.identities)
  .filter(([, value]) => value !== null)
  .map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}
</dl>
<p>To see that the run can be had again: <code>awesim replay</code> with this directory. To describe it in a paper:
<code>awesim report --methods</code>.</p>`;
}
