import { Command, Option } from "commander";
import type { AgentWebBenchOptions } from "../../corpora/importers/agentwebbench.ts";
import type { BeirOptions } from "../../corpora/importers/beir.ts";
import type { ImportOptions } from "../../corpora/importers/corpus-import.ts";
import type { KeyPointOptions } from "../../corpora/importers/researchy-keypoints.ts";
import { parseSiteRule } from "../../corpora/importers/site-rule.ts";
import type { TableOptions } from "../../corpora/importers/table.ts";
import type { TrecOptions } from "../../corpora/importers/trec.ts";
import { collect } from "../options.ts";
import { importMedquadFolder } from "./import-medquad.ts";
import { type CommonOptions, runImport } from "./run-import.ts";

/** Each format with the operands and options of its example. */
const examples = {
  agentwebbench: "~/AgentWebBench/data --documents corpora/clueweb22 --key-points ~/data/researchy-keypoints",
  beir: "~/data/scifact --split test --sites 10",
  clueweb22: "~/ClueWeb22/txt/en/en00",
  crag: "~/data/crag/dev_data.jsonl.bz2 --site-priors ~/data/domain-cc-main-2026-apr-may-jun.json",
  cranfield: "~/data/cranfield",
  csv: "pages.csv --map id=number --map text=abstract+body --topics queries.tsv --qrels qrels.txt",
  jsonl: "pages.jsonl.gz --map text=contents --topics queries.tsv --qrels qrels.txt --out corpora/mine",
  medquad: "~/data/medquad",
  msweb: "~/data/msweb --sites 10",
  "researchy-keypoints": "~/data/researchy-keypoints --sites 10",
  trec: "~/data/robust04/documents --topics topics.robust04.txt --qrels qrels.robust04.txt",
};

/** Imports exit with 130 when they are interrupted, which `report` is told. */
export function importCommand(report: (code: number) => void): Command {
  const lines = Object.entries(examples).map(([format, example]) => `  awesim corpus import ${format} ${example}`);
  return new Command("import")
    .description("makes a corpus of a published data set")
    .addHelpText("after", `\nAn example of each:\n${lines.join("\n")}`)
    .addCommand(
      format(
        "agentwebbench",
        "AgentWebBench's four tasks, over pages of ClueWeb22",
        "data",
        "the benchmark's data folder",
      )
        .option("--documents <corpus>", "the directory of a corpus that holds the pages")
        .option("--trajectories <dir>", "recorded runs: the pages that their user agents were shown")
        .option("--key-points <dir>", "key points of the research questions, as files or .tar.gz archives")
        .action(async (source: string, options: CommonOptions & Omit<AgentWebBenchOptions, keyof ImportOptions>) => {
          const { importAgentWebBench } = await import("../../corpora/importers/agentwebbench.ts");
          report(await runImport(options, (common) => importAgentWebBench(source, { ...options, ...common })));
        }),
    )
    .addCommand(
      format("beir", "a set in BEIR's format", "folder", "holds corpus.jsonl, queries.jsonl and qrels/")
        .option("--split <name>", "which judgements: qrels/<name>.tsv", "test")
        .action(async (source: string, options: CommonOptions & Pick<BeirOptions, "split">) => {
          const { importBeir } = await import("../../corpora/importers/beir.ts");
          report(await runImport(options, (common) => importBeir(source, { ...options, ...common })));
        }),
    )
    .addCommand(
      format(
        "clueweb22",
        "ClueWeb22's text records",
        "path",
        "a .json.gz file with its .offset, or a folder of them",
      ).action(async (source: string, options: CommonOptions) => {
        const { importClueweb22 } = await import("../../corpora/importers/clueweb22.ts");
        report(await runImport(options, (common) => importClueweb22(source, common)));
      }),
    )
    .addCommand(
      format(
        "crag",
        "CRAG: questions with answers and web pages",
        "path",
        "a .jsonl or .jsonl.bz2 file, or a folder",
      ).action(async (source: string, options: CommonOptions) => {
        const { importCrag } = await import("../../corpora/importers/crag.ts");
        report(await runImport(options, (common) => importCrag(source, common)));
      }),
    )
    .addCommand(
      format(
        "cranfield",
        "the Cranfield collection in SMART's format",
        "folder",
        "holds cran.all.1400, cran.qry and cranqrel",
      ).action(async (source: string, options: CommonOptions) => {
        const { importCranfield } = await import("../../corpora/importers/cranfield.ts");
        report(await runImport(options, (common) => importCranfield(source, common)));
      }),
    )
    .addCommand(
      table("csv", "records in CSV or TSV with a head line", "a .csv or .tsv file, or a folder of them", report),
    )
    .addCommand(table("jsonl", "JSON records, one a line", "a .jsonl file, packed or not, or a folder of them", report))
    .addCommand(
      new Command("medquad")
        .description("MedQuAD: nine health websites with the judged questions of TREC 2017 LiveQA-Med")
        .argument("<source>", "the folder with the .tar.gz of XML files, the judgements and the questions")
        .option("--out <dir>", "the corpus' directory", "corpora/medquad")
        .option("--json", "print what was found as JSON")
        .addHelpText("after", exampleOf("medquad"))
        .action(importMedquadFolder),
    )
    .addCommand(
      format(
        "msweb",
        "Anonymous Microsoft Web Data: which users visited which areas",
        "folder",
        "holds anonymous-msweb.data and .test",
      ).action(async (source: string, options: CommonOptions) => {
        const { importMsweb } = await import("../../corpora/importers/msweb.ts");
        report(await runImport(options, (common) => importMsweb(source, common)));
      }),
    )
    .addCommand(
      format(
        "researchy-keypoints",
        "research questions with key points",
        "folder",
        "holds the key points, as files or .tar.gz archives",
      )
        .option("--documents <corpus>", "the directory of a corpus that holds the pages, instead of excerpts")
        .action(async (source: string, options: CommonOptions & Pick<KeyPointOptions, "documents">) => {
          const { importKeyPoints } = await import("../../corpora/importers/researchy-keypoints.ts");
          report(await runImport(options, (common) => importKeyPoints(source, { ...options, ...common })));
        }),
    )
    .addCommand(
      format(
        "trec",
        "a TREC collection: newswire, TRECWEB or clean text",
        "documents",
        "a file of <DOC>s, or a folder of files",
      )
        .requiredOption("--topics <file>", "the topics, in any of the usual forms; required")
        .requiredOption("--qrels <file>", "the judgements: topic, iteration, document, grade; required")
        .option("--name <name>", "what the corpus is called", "trec")
        .addOption(
          new Option("--field <part>", "the part of a topic that is asked")
            .choices(["title", "description"])
            .default("title"),
        )
        .option("--keep-tags", "tags within <TEXT> are text")
        .action(
          async (
            source: string,
            options: CommonOptions & Omit<TrecOptions, keyof ImportOptions | "keepTags"> & { keepTags?: true },
          ) => {
            const { importTrec } = await import("../../corpora/importers/trec.ts");
            const keepTags = options.keepTags === true;
            report(await runImport(options, (common) => importTrec(source, { ...options, ...common, keepTags })));
          },
        ),
    );
}

function table(kind: "csv" | "jsonl", description: string, source: string, report: (code: number) => void): Command {
  return format(kind, description, "path", source)
    .option("--name <name>", "what the corpus is called", kind)
    .option(
      "--map <field=column>",
      "where id, url, site, title or text stands; several columns with + (repeatable)",
      collect,
      [],
    )
    .option("--html", "the text is HTML")
    .option("--topics <file>", "queries, as TREC topics, JSONL, CSV, or lines of id, tab, query")
    .option("--qrels <file>", "their judgements: topic, iteration, document, grade")
    .action(
      async (
        path: string,
        options: CommonOptions & Omit<TableOptions, keyof ImportOptions | "html"> & { html?: true },
      ) => {
        const { importTable } = await import("../../corpora/importers/table.ts");
        const html = options.html === true;
        report(await runImport(options, (common) => importTable(path, kind, { ...options, ...common, html })));
      },
    );
}

/** A format's subcommand with the options that all formats have. */
function format(name: keyof typeof examples, description: string, argument: string, argumentIs: string): Command {
  return new Command(name)
    .description(description)
    .argument(`<${argument}>`, argumentIs)
    .option("--out <dir>", "the corpus' directory; it must not exist", `corpora/${name}`)
    .option("--sites <rule>", "sites: auto, one, or a number of about equal size", parseSiteRule, "auto")
    .option("--site-priors <file>", "the sites' popularity: a list of Common Crawl's web graph (JSON)")
    .option("--json", "print what was found as JSON")
    .addHelpText("after", exampleOf(name));
}

const exampleOf = (name: keyof typeof examples): string =>
  `\nExample:\n  awesim corpus import ${name} ${examples[name]}`;
