/**
 * NDCG@k as the released code of AgentWebBench computes it (`ndcg_and_recall_for_query`): binary, and nothing is
 * de-duplicated. A repeated correct id scores each time, so the value CAN EXCEED 1. Only for comparison with figures
 * made by that code; everything else uses `ndcg`.
 */
export function releasedNdcg(answer: readonly string[], relevant: readonly string[], k: number): number {
  const gold = new Set(relevant);
  let gain = 0;
  answer.slice(0, k).forEach((id, i) => {
    if (gold.has(id)) gain += 1 / Math.log2(i + 2);
  });
  let best = 0;
  for (let i = 0; i < Math.min(relevant.length, k); i++) best += 1 / Math.log2(i + 2);
  return best === 0 ? 0 : gain / best;
}

/** Recall@k as the released code of AgentWebBench computes it; like `releasedNdcg` it CAN EXCEED 1. */
export function releasedRecall(answer: readonly string[], relevant: readonly string[], k: number): number {
  const gold = new Set(relevant);
  if (relevant.length === 0) return 0;
  return answer.slice(0, k).filter((id) => gold.has(id)).length / relevant.length;
}
