import { type Site, siteSchema } from "../format.ts";

/** The nine websites whose pages MedQuAD holds, in the order of its folders. */
export const medquadSites: readonly Site[] = [
  {
    id: "www.cancer.gov",
    name: "National Cancer Institute",
    description:
      "Patient summaries on cancers of adults and children: types, stages, risk factors, tests, treatment options, prognosis and clinical trials.",
    topics: ["cancer", "tumours", "leukemia", "cancer treatment"],
  },
  {
    id: "rarediseases.info.nih.gov",
    name: "Genetic and Rare Diseases Information Center",
    description:
      "Short answers on thousands of rare and genetic diseases: symptoms with their frequency, causes, inheritance, diagnosis and treatment.",
    topics: ["rare diseases", "genetic disorders", "symptoms", "inheritance"],
  },
  {
    id: "ghr.nlm.nih.gov",
    name: "Genetics Home Reference",
    description:
      "Reference on inherited conditions: how common they are, which genes and mutations cause them, and how they are passed on.",
    topics: ["genetics", "genes", "inherited conditions", "mutations"],
  },
  {
    id: "www.nlm.nih.gov",
    name: "MedlinePlus health topics",
    description:
      "One plain-language overview for each of about a thousand health topics: diseases, tests, nutrition, pregnancy, safety and wellness.",
    topics: ["health topics", "wellness", "medical tests", "nutrition", "safety"],
  },
  {
    id: "www.niddk.nih.gov",
    name: "National Institute of Diabetes and Digestive and Kidney Diseases",
    description:
      "Guides on diabetes, digestive, kidney, urologic and hormone diseases: causes, tests, complications, eating and treatment.",
    topics: ["diabetes", "digestive diseases", "kidney diseases", "hormone diseases"],
  },
  {
    id: "www.ninds.nih.gov",
    name: "National Institute of Neurological Disorders and Stroke",
    description:
      "Information pages on disorders of the brain and nerves, stroke among them: what they are, treatment, prognosis and current research.",
    topics: ["neurological disorders", "stroke", "brain", "nerves"],
  },
  {
    id: "nihseniorhealth.gov",
    name: "NIHSeniorHealth",
    description:
      "Health of older adults in detail: ageing-related diseases, medicines, eating, exercise, memory, falls and Medicare.",
    topics: ["older adults", "ageing", "exercise", "memory", "Medicare"],
  },
  {
    id: "www.nhlbi.nih.gov",
    name: "National Heart, Lung, and Blood Institute",
    description:
      "Guides on heart, lung, blood and sleep disorders and the procedures for them: causes, signs, diagnosis, treatment and prevention.",
    topics: ["heart diseases", "lung diseases", "blood disorders", "sleep"],
  },
  {
    id: "www.cdc.gov",
    name: "Centers for Disease Control and Prevention",
    description:
      "Infectious diseases and parasites, vaccines, hospital infections and diabetes: who is at risk, how they spread, prevention and treatment.",
    topics: ["infectious diseases", "parasites", "vaccines", "prevention"],
  },
].map((site) => siteSchema.parse(site));
