// Built-in prices of output: a model without one sells its answers at the price of prompts.
import { expect, it } from 'vitest'
import { getModelKind } from '../../core/models/model-facts.ts'
import { getFamilyCompletionRatio, listModelNameVariants } from '../../core/pricing/price.ts'
import { defaultSettings } from '../../core/settings/snapshot.ts'

/** Kinds that are priced by their input: by tokens, characters or seconds. */
const PRICED_BY_INPUT = ['embeddings', 'moderation', 'rerank', 'speech', 'transcription']

/** Models whose output costs as much as their input: the specification's tables have one price for both. */
const ONE_PRICE = `
  360gpt-pro 360gpt-turbo 360gpt-turbo-responsibility-8k 360gpt2-pro 360GPT_S2_V9
  ada babbage code-davinci-edit-001 curie davinci text-ada-001 text-babbage-001 text-curie-001 text-davinci-edit-001
  text-search-ada-doc-001 gpt-realtime-whisper
  BLOOMZ-7B ERNIE-3.5-4K-0205 ERNIE-3.5-8K ERNIE-3.5-8K-0205 ERNIE-3.5-8K-1222 ERNIE-4.0-8K ERNIE-Bot-8K ERNIE-Tiny-8K tao-8k
  chatglm_lite chatglm_pro chatglm_std chatglm_turbo glm-3-turbo glm-4 glm-4-0520 glm-4-air glm-4-airx glm-4-alltools
  glm-4-long glm-4-plus glm-4v glm-4v-plus
  hunyuan PaLM-2 semantic_similarity_s1_v1 SparkDesk-v1.1 SparkDesk-v2.1 SparkDesk-v3.1 SparkDesk-v3.5 SparkDesk-v4.0
  llama-3-sonar-large-32k-chat llama-3-sonar-large-32k-online llama-3-sonar-small-32k-chat llama-3-sonar-small-32k-online
  yi-34b-chat-0205 yi-34b-chat-200k yi-large yi-large-preview yi-large-rag yi-large-rag-preview yi-large-turbo yi-medium
  yi-medium-200k yi-spark yi-vision yi-vl-plus`
  .trim()
  .split(/\s+/)

it('every model with a price for its input has one for its output, or is known to have one price for both', () => {
  const { ModelRatio, ModelPrice, CompletionRatio } = defaultSettings()
  const hasOutputPrice = (model: string): boolean =>
    listModelNameVariants(model).some((name) => Object.hasOwn(CompletionRatio, name)) ||
    getFamilyCompletionRatio(model) !== 1
  const lacking = Object.keys(ModelRatio).filter(
    (model) =>
      ModelRatio[model] !== 0 &&
      !Object.hasOwn(ModelPrice, model) &&
      !PRICED_BY_INPUT.includes(getModelKind(model)) &&
      !hasOutputPrice(model),
  )
  expect(lacking.sort()).toEqual(ONE_PRICE.toSorted())
})
