// The completion ratio of models that no table names, by family (docs/billing.md, 6). First match wins.

const rules: [test: RegExp, ratio: number][] = [
  [/^gpt-4o-2024-05-13$/, 3],
  [/^gpt-4o/, 4],
  [/^gpt-4\.5-preview/, 2],
  [/^gpt-4-turbo|^gpt-4-11(05|06)|^gpt-4-0125/, 3],
  [/^gpt-4\.1/, 4],
  [/^gpt-4(?!.*(-all|-gizmo-\*)$)/, 2],
  [/^o[134]/, 4],
  [/^gpt-5\.4-nano/, 6.25],
  [/^gpt-5\./, 6],
  [/^gpt-5/, 8],
  [/^chatgpt-4o-latest$/, 3],
  [/claude-instant-1|claude-2/, 3],
  [/claude-(3|sonnet|opus|haiku)/, 5],
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, 3],
  [/^gpt-3\.5.*1106$/, 2],
  [/^gpt-3\.5/, 4 / 3],
  [/^mistral-/, 3],
  [/^gemini-(1\.5|2\.0)/, 4],
  [/^gemini-2\.5-pro/, 8],
  [/^gemini-2\.5-flash-lite/, 4],
  [/^gemini-2\.5-flash/, 2.5 / 0.3],
  [/^gemini-3-pro-image/, 60],
  [/^gemini-3-pro/, 6],
  [/^gemini-/, 4],
  [/^command-r-plus$/, 5],
  [/^command-r$/, 3],
  [/^command/, 4],
  [/^deepseek-(chat|reasoner)/i, 4],
  [/^ERNIE-(Speed-|Lite-|Character|Functions)/, 2],
  [/^llama2-70b-4096$/, 1.25],
  [/^llama3-8b-8192$/, 2],
  [/^llama3-70b-8192$/, 79 / 59],
]

/** Price of output divided by price of input; 1 for unknown families. */
export const familyCompletionRatio = (model: string): number => rules.find(([test]) => test.test(model))?.[1] ?? 1
