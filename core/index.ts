// The public library: what `import from 'weir-gateway'` gives.
export {
  conversationOver,
  MAX_MESSAGE_BYTES,
  openGateway,
  packageVersion,
  socketPath,
  StartError,
} from './adapters/node.ts'
export { ConfigError, configOptions, readConfig, secretVariable, type Config } from './config.ts'
export type { Session } from './auth/session-store.ts'
export { may, noSession, type Caller, type SessionDoor } from './auth/caller.ts'
export { createGateway, localCaller, type Gateway } from './gateway.ts'
export { addressKey } from './limits/api-rate.ts'
export { asGatewayError, errors, GatewayError, type ErrorCode, type ErrorKind, type Language } from './errors.ts'
export type { WeirClient } from './contract/index.ts'
export type { Ports } from './ports/index.ts'
export { seconds } from './ports/clock.ts'
export { soundSeconds } from './pricing/audio-tokens.ts'
export { charge, type Charge, type ChargeLine } from './pricing/charge.ts'
export { findPrice, type Price } from './pricing/price.ts'
export { defaultSettings } from './settings/snapshot.ts'
export type { Settings } from './settings/index.ts'
export { anthropicMessages } from './dialects/anthropic-messages/index.ts'
export { geminiGenerate } from './dialects/gemini-generate/index.ts'
export { openaiChat } from './dialects/openai-chat/index.ts'
export { openaiCompletions } from './dialects/openai-completions/index.ts'
export { openaiEmbeddings, openaiModerations } from './dialects/openai-embeddings.ts'
export { openaiImageEdits, openaiImages, openaiImageVariations } from './dialects/openai-images.ts'
export { openaiSpeech, openaiTranscriptions, openaiTranslations } from './dialects/openai-audio.ts'
export { openaiRealtime } from './dialects/openai-realtime.ts'
export { openaiResponses } from './dialects/openai-responses/index.ts'
export { rerank } from './dialects/rerank.ts'
export { encodeFrame } from './dialects/frames.ts'
export { admitToken } from './relay/admission.ts'
export { billingOf } from './relay/billing.ts'
export type { Call, CallCaller, Head, Yield } from './relay/call.ts'
export { failureOf, withRequestId } from './relay/failure.ts'
export type { ListedModel } from './relay/model-list.ts'
export type { RealtimeSession } from './relay/realtime.ts'
export { createStop } from './relay/stop.ts'
export { parseKey, type Token } from './tokens/token.ts'
export type { User } from './users/user.ts'
