import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { corpusHashes, tasksOf } from "../../corpora/files.ts";
import { readDocuments, readHead, readSites, readTopics } from "../../corpora/read.ts";
import { resolveCorpus } from "../../scenario/corpus.ts";
import { clean } from "../../terminal/clean.ts";
import { type Column, table } from "../../terminal/table.ts";
import { print } from "../options.ts";

export function infoCommand(): Command {
  return new Command("info")
    .description("says what a corpus holds")
    .argument("<corpus>", "a name under corpora/, or a path")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  awesim corpus info atlas")
    .action(async (corpus: string, { json }: { json?: true }) => {
      const directory = resolveCorpus(corpus, null);
      const head = readHead(directory);
      const pages = new Map<string, number>();
      for await (const { document } of readDocuments(directory)) {
        pages.set(document.site, (pages.get(document.site) ?? 0) + 1);
      }
      const sites = (await readSites(directory))
        .map(({ id, name, priors }) => ({ id, name, pages: pages.get(id) ?? 0, ...priors }))
        .sort((a, b) => b.pages - a.pages || (a.id < b.id ? -1 : 1));
      const total = sites.reduce((sum, site) => sum + site.pages, 0);
      const { corpusSha256 } = await corpusHashes(directory);
      const topics: Record<string, number> = {};
      for (const task of tasksOf(directory)) {
        topics[task] = 0;
        for await (const _ of readTopics(directory, task)) topics[task]++;
      }
      const facts = { directory, ...head, sha256: corpusSha256, pages: total, topics };
      const text = [
        `${clean(head.name)} ${clean(head.version)}: ${sites.length} sites, ${total} pages`,
        ...(head.description === undefined ? [] : [clean(head.description)]),
        ...Object.entries(topics).map(([task, count]) => `${count} topics of ${task}`),
        `shipped vectors: ${existsSync(join(directory, "vectors")) ? "yes" : "no"}`,
        `sha256 ${corpusSha256}`,
        "",
        table(
          [
            { title: "largest sites" },
            { title: "name" },
            { title: "pages" },
            shareColumn("authority"),
            shareColumn("popularity"),
          ],
          sites
            .slice(0, 10)
            .map(({ id, name, pages, authority, popularity }) => [id, name, pages, authority, popularity]),
        ),
      ];
      print(json, { ...facts, sites }, text.join("\n"));
    });
}

function shareColumn(title: string): Column {
  return { title, format: (value) => value.toFixed(3) };
}
