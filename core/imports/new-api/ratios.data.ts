// The default prices of new-api, for models whose price its options leave out: facts of its public source, by value. A ratio of 1 is 2 USD per
// 1M tokens, a price is USD per call. `later`: QuantumNous/new-api at 00f6587d, setting/ratio_setting (2026-08).
// `earlier`: Calcium-Ion/new-api at 1df39e5a, setting/operation_setting/model-ratio.go (2025-03), where it differs.
import { toRatiosByName, type NamesByValue } from '../ratio-table.ts'

/** Units of ratio for 1 CNY per 1K tokens. */
const RMB = 500 / 7.3

const laterRatio: NamesByValue = [
  [75, 'o1-pro o1-pro-2025-03-19'],
  [37.5, 'gpt-4.5-preview gpt-4.5-preview-2025-02-27'],
  [30, 'gpt-4-32k gpt-4-32k-0613'],
  [15, 'gpt-4-gizmo-* gpt-4-all gpt-4o-all gpt-4 gpt-4-0613 whisper-1 tts-1-hd tts-1-hd-1106'],
  [10, 'o3-pro o3-pro-2025-06-10 text-davinci-edit-001 code-davinci-edit-001 davinci curie text-search-ada-doc-001 qwen-plus'],
  [7.5, `o1 o1-2024-12-17 o1-preview o1-preview-2024-09-12 tts-1 tts-1-1106 claude-3-opus-20240229 claude-opus-4-20250514
    claude-opus-4-1-20250805`],
  [7.143, 'glm-4 hunyuan'],
  [5, `gpt-4-1106-preview gpt-4-0125-preview gpt-4-turbo-preview gpt-4-vision-preview gpt-4-1106-vision-preview gpt-4-turbo
    gpt-4-turbo-2024-04-09 o3-deep-research o3-deep-research-2025-06-26 claude-fable-5`],
  [2.5, `gpt-4o-gizmo-* chatgpt-4o-latest gpt-4o-2024-05-13 gpt-4o-realtime-preview gpt-4o-realtime-preview-2024-10-01
    gpt-4o-realtime-preview-2024-12-17 gpt-image-1 gpt-5.5 gpt-5.6-sol claude-opus-4-5-20251101 claude-opus-4-6
    claude-opus-4-6-max claude-opus-4-6-high claude-opus-4-6-medium claude-opus-4-6-low claude-opus-4-7 claude-opus-4-7-max
    claude-opus-4-7-xhigh claude-opus-4-7-high claude-opus-4-7-medium claude-opus-4-7-low claude-opus-4-8 claude-opus-4-8-max
    claude-opus-4-8-xhigh claude-opus-4-8-high claude-opus-4-8-medium claude-opus-4-8-low claude-opus-5 grok-beta
    grok-vision-beta grok-3-fast-beta`],
  [1.5, `gpt-3.5-turbo-16k gpt-3.5-turbo-16k-0613 claude-3-sonnet-20240229 claude-3-5-sonnet-20240620
    claude-3-5-sonnet-20241022 claude-3-7-sonnet-20250219 claude-3-7-sonnet-20250219-thinking claude-sonnet-4-20250514
    claude-sonnet-4-5-20250929 claude-sonnet-5 command-r-plus grok-3-beta`],
  [1.2858, 'SparkDesk-v1.1 SparkDesk-v2.1 SparkDesk-v3.1 SparkDesk-v3.5 SparkDesk-v4.0'],
  [1.25, `gpt-4o gpt-4o-audio-preview gpt-4o-audio-preview-2024-10-01 gpt-4o-2024-08-06 gpt-4o-2024-11-20 gpt-5.6-terra
    gemini-1.5-pro-latest command-r-plus-08-2024`],
  [1, `gpt-4.1 gpt-4.1-2025-04-14 o3 o3-2025-04-16 o4-mini-deep-research o4-mini-deep-research-2025-06-26 text-curie-001 PaLM-2
    grok-2 grok-2-vision`],
  [0.864, 'yi-34b-chat-200k'],
  [0.8572, 'qwen-turbo'],
  [0.8, `NousResearch/Hermes-4-405B-FP8 Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8 zai-org/GLM-4.5-FP8 deepseek-ai/DeepSeek-R1-0528
    deepseek-ai/DeepSeek-R1 deepseek-ai/DeepSeek-V3-0324 deepseek-ai/DeepSeek-V3.1`],
  [0.75, 'gpt-3.5-turbo-0613 gpt-3.5-turbo-instruct'],
  [0.7143, 'chatglm_pro'],
  [0.625, `gpt-5 gpt-5-2025-08-07 gpt-5-chat-latest gemini-2.5-pro-exp-03-25 gemini-2.5-pro-preview-03-25 gemini-2.5-pro
    gemini-2.5-pro-thinking-*`],
  [0.6, 'Qwen/Qwen3-235B-A22B-Thinking-2507'],
  [0.55, `o1-mini o1-mini-2024-09-12 o3-mini o3-mini-2025-01-31 o3-mini-high o3-mini-2025-01-31-high o3-mini-low
    o3-mini-2025-01-31-low o3-mini-medium o3-mini-2025-01-31-medium o4-mini o4-mini-2025-04-16`],
  [0.5, `gpt-5.6-luna gpt-3.5-turbo-1106 claude-3-5-haiku-20241022 claude-haiku-4-5-20251001 command command-nightly
    command-light command-light-nightly openai/gpt-oss-120b llama-3-sonar-large-32k-chat llama-3-sonar-large-32k-online`],
  [0.432, 'yi-vl-plus'],
  [0.3572, 'chatglm_turbo chatglm_std glm-3-turbo'],
  [0.3, 'gpt-4o-mini-realtime-preview gpt-4o-mini-realtime-preview-2024-12-17 grok-3-mini-fast-beta Qwen/Qwen3-235B-A22B-Instruct-2507'],
  [0.275, 'deepseek-reasoner'],
  [0.25, 'gpt-3.5-turbo gpt-3.5-turbo-0125 text-babbage-001 command-r'],
  [0.2, 'gpt-4.1-mini gpt-4.1-mini-2025-04-14 text-ada-001'],
  [0.18, 'yi-34b-chat-0205'],
  [0.15, 'gemini-2.5-flash gemini-robotics-er-1.5-preview grok-3-mini-beta'],
  [0.1429, 'chatglm_lite'],
  [0.135, 'deepseek-chat deepseek-coder'],
  [0.125, 'gpt-5-mini gpt-5-mini-2025-08-07 claude-3-haiku-20240307'],
  [0.1, 'text-moderation-stable text-moderation-latest llama-3-sonar-small-32k-chat llama-3-sonar-small-32k-online'],
  [0.075, `gpt-4o-mini gpt-4o-mini-2024-07-18 gemini-1.5-flash-latest gemini-2.5-flash-preview-04-17
    gemini-2.5-flash-preview-04-17-thinking gemini-2.5-flash-preview-04-17-nothinking gemini-2.5-flash-preview-05-20
    gemini-2.5-flash-preview-05-20-thinking gemini-2.5-flash-preview-05-20-nothinking gemini-2.5-flash-thinking-*
    gemini-embedding-001 command-r-08-2024`],
  [0.065, 'text-embedding-3-large'],
  [0.05, `gpt-4.1-nano gpt-4.1-nano-2025-04-14 text-embedding-ada-002 gemini-2.0-flash gemini-2.5-flash-lite-preview-thinking-*
    gemini-2.5-flash-lite-preview-06-17 text-embedding-v1`],
  [0.025, 'gpt-5-nano gpt-5-nano-2025-08-07'],
  [0.01, 'text-embedding-3-small'],
  [0.001, 'text-embedding-004'],
  [0, 'glm-4-flash'],
  [0.12 * RMB, 'ERNIE-4.0-8K'],
  [0.1 * RMB, 'glm-4-alltools glm-4-0520'],
  [0.05 * RMB, 'glm-4v glm-4-plus'],
  [0.025 * RMB, 'yi-large-rag yi-large-rag-preview'],
  [0.024 * RMB, 'ERNIE-3.5-8K-0205 ERNIE-Bot-8K'],
  [0.02 * RMB, 'yi-large yi-large-preview'],
  [0.012 * RMB, 'ERNIE-3.5-8K ERNIE-3.5-8K-1222 ERNIE-3.5-4K-0205 yi-medium-200k yi-large-turbo'],
  [0.01 * RMB, 'glm-4-airx glm-4v-plus'],
  [0.008 * RMB, 'ERNIE-Lite-8K-0922'],
  [0.006 * RMB, 'yi-vision'],
  [0.004 * RMB, 'ERNIE-Speed-8K ERNIE-Speed-128K BLOOMZ-7B'],
  [0.003 * RMB, 'ERNIE-Lite-8K-0308'],
  [0.0025 * RMB, 'yi-medium'],
  [0.002 * RMB, 'Embedding-V1 bge-large-zh bge-large-en tao-8k'],
  [0.001 * RMB, 'ERNIE-Tiny-8K glm-4-air glm-4-long yi-spark'],
]

const earlierRatio: NamesByValue = [
  [10, 'babbage ada'],
  [4, 'claude-2.0 claude-2.1'],
  [1.75, 'gemini-1.5-pro-latest gemini-1.5-pro-exp-0827'],
  [1, `davinci-002 gemini-pro gemini-pro-vision gemini-1.0-pro-vision-001 gemini-1.0-pro-001 gemini-1.5-flash-latest
    gemini-1.5-flash-exp-0827 gemini-1.0-pro-latest gemini-1.0-pro-vision-latest gemini-ultra`],
  [0.8572, '360GPT_S2_V9 360gpt-turbo-responsibility-8k 360gpt-pro 360gpt2-pro'],
  [0.4, 'claude-instant-1'],
  [0.2, 'babbage-002'],
  [0.0858, '360gpt-turbo'],
  [0.0715, 'embedding-bert-512-v1 embedding_s1_v1 semantic_similarity_s1_v1'],
]

const earlierPrice: NamesByValue = [
  [0.1, `suno_music gpt-4-gizmo-* mj_imagine mj_variation mj_reroll mj_blend mj_modal mj_zoom mj_shorten mj_high_variation
    mj_low_variation mj_pan`],
  [0.05, 'mj_describe mj_upscale swap_face mj_upload'],
  [0.04, 'dall-e-3'],
  [0.01, 'suno_lyrics'],
  [0, 'mj_inpaint mj_custom_zoom'],
]

const laterPrice: NamesByValue = [
  ...earlierPrice,
  [0.8, 'mj_video'],
  [0.5, 'sora-2-pro'],
  [0.4, 'veo-3.0-generate-001 veo-3.1-generate-preview'],
  [0.3, 'sora-2 gpt-4o-mini-tts'],
  [0.15, 'veo-3.0-fast-generate-001 veo-3.1-fast-generate-preview'],
  [0.1, 'mj_edits'],
  [0.04, 'black-forest-labs/flux-1.1-pro'],
  [0.03, 'imagen-3.0-generate-002'],
]

const laterCache: NamesByValue = [
  [0.5, `gpt-4 o1 o1-2024-12-17 o1-preview-2024-09-12 o1-preview o1-mini-2024-09-12 o1-mini o3-mini o3-mini-2025-01-31
    gpt-4o-2024-11-20 gpt-4o-2024-08-06 gpt-4o gpt-4o-mini-2024-07-18 gpt-4o-mini gpt-4o-realtime-preview
    gpt-4o-mini-realtime-preview gpt-4.5-preview gpt-4.5-preview-2025-02-27`],
  [0.25, 'gpt-4.1 gpt-4.1-mini gpt-4.1-nano deepseek-chat deepseek-reasoner deepseek-coder'],
  [0.1, `gemini-3-flash-preview gemini-3-pro-preview gemini-3.1-pro-preview gemini-3.1-flash-lite gemini-3.5-flash-lite gemini-3.6
    gemini-3.6-flash gpt-5 gpt-5-2025-08-07 gpt-5-chat-latest gpt-5-mini gpt-5-mini-2025-08-07 gpt-5-nano
    gpt-5-nano-2025-08-07 claude-3-sonnet-20240229 claude-3-opus-20240229 claude-3-haiku-20240307 claude-3-5-haiku-20241022
    claude-haiku-4-5-20251001 claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022 claude-3-7-sonnet-20250219
    claude-3-7-sonnet-20250219-thinking claude-sonnet-4-20250514 claude-sonnet-4-20250514-thinking claude-opus-4-20250514
    claude-opus-4-20250514-thinking claude-opus-4-1-20250805 claude-opus-4-1-20250805-thinking claude-sonnet-4-5-20250929
    claude-sonnet-4-5-20250929-thinking claude-opus-4-5-20251101 claude-opus-4-5-20251101-thinking claude-opus-4-6
    claude-opus-4-6-thinking claude-opus-4-6-max claude-opus-4-6-high claude-opus-4-6-medium claude-opus-4-6-low
    claude-opus-4-7 claude-opus-4-7-thinking claude-opus-4-7-max claude-opus-4-7-xhigh claude-opus-4-7-high
    claude-opus-4-7-medium claude-opus-4-7-low claude-opus-4-8 claude-opus-4-8-thinking claude-opus-4-8-max
    claude-opus-4-8-xhigh claude-opus-4-8-high claude-opus-4-8-medium claude-opus-4-8-low`],
]

const completion: NamesByValue = [
  [8, 'gpt-image-1'],
  [3, 'gpt-4o-gizmo-*'],
  [2, 'gpt-4-gizmo-* gpt-4-all'],
]

const audio: NamesByValue = [
  [66.67, 'gpt-4o-mini-audio-preview'],
  [25, 'gpt-4o-mini-tts'],
  [16.67, 'gpt-4o-mini-realtime-preview'],
  [16, 'gpt-4o-audio-preview'],
  [8, 'gpt-4o-realtime-preview'],
]

const audioCompletion: NamesByValue = [
  [2, 'gpt-4o-realtime gpt-4o-mini-realtime'],
  [1, 'gpt-4o-mini-tts'],
  [0, 'tts-1 tts-1-hd tts-1-1106 tts-1-hd-1106'],
]

/** The tables of the later version, by the option that replaces each. */
export const LATER = {
  ModelRatio: toRatiosByName(laterRatio),
  ModelPrice: toRatiosByName(laterPrice),
  CompletionRatio: toRatiosByName(completion),
  CacheRatio: toRatiosByName(laterCache),
  CreateCacheRatio: {},
  AudioRatio: toRatiosByName(audio),
  AudioCompletionRatio: toRatiosByName(audioCompletion),
  ImageRatio: toRatiosByName([[2, 'gpt-image-1']]),
}

/** Those of the earlier version, whose names include all that the later one has left out. */
export const EARLIER = {
  ...LATER,
  ModelRatio: { ...LATER.ModelRatio, ...toRatiosByName(earlierRatio) },
  ModelPrice: toRatiosByName(earlierPrice),
}

/** Columns and tables by the month in which new-api has had them first, oldest first. */
export const MARKERS: readonly (readonly [month: string, table: string, column: string])[] = [
  ['2025-02', 'users', 'setting'],
  ['2025-06', 'redemptions', 'expired_time'],
  ['2025-06', 'logs', 'ip'],
  ['2025-07', 'channels', 'channel_info'],
  ['2025-07', 'users', 'stripe_customer'],
  ['2025-08', 'channels', 'settings'],
  ['2025-08', 'top_ups', 'payment_method'],
  ['2025-08', 'two_fas', 'user_id'],
  ['2025-09', 'channels', 'header_override'],
  ['2025-10', 'passkey_credentials', 'user_id'],
  ['2025-12', 'tokens', 'cross_group_retry'],
  ['2026-01', 'checkins', 'user_id'],
  ['2026-02', 'subscription_plans', 'id'],
  ['2026-02', 'user_subscriptions', 'user_id'],
  ['2026-02', 'custom_oauth_providers', 'id'],
  ['2026-03', 'logs', 'request_id'],
]
