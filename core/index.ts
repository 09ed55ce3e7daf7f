// The public library: the exports of `weir-gateway`.
// The import adds the stores of the features to the type `Storage`.
import './features.ts'
export {
  wrapWebSocket,
  wrapWebSocket as conversationOver,
  joinMeasured,
  openGateway,
  openTelemetry,
  packageVersion,
  readConfig,
  socketPath,
  StartError,
  WEB_SOCKET_LIMITS,
} from './adapters/node.ts'
export { localAddress, ConfigError, configOptions, secretVariable, type Config } from './config.ts'
export { getFailureCode, getFailureCode as failureWord } from './calls/failure-text.ts'
export {
  type AccessedCall,
  type Attempt,
  type CallRecord,
  toAccessLogEntry,
  toAccessLogEntry as accessedCall,
} from './calls/call-record.ts'
export type { RefusedCall } from './logs/refusals.ts'
export type { CallSink, SinkCounts } from './calls/sinks.ts'
export type { Session } from './auth/stores.ts'
export { findAccessTokenOwner, findAccessTokenOwner as ownerOfAccessToken } from './users/access-tokens.ts'
export { KNOWN_SECONDS } from './auth/stores.ts'
export {
  hasAccess,
  hasAccess as may,
  noSession,
  type Caller,
  type SessionControl,
  type SessionControl as SessionDoor,
} from './auth/caller.ts'
export { createGateway, loadLocalCaller, loadLocalCaller as localCaller, type Gateway } from './gateway.ts'
export { getAddressKey, getAddressKey as addressKey } from './auth/caller.ts'
export { asGatewayError, errors, GatewayError, type ErrorCode, type ErrorKind, type Language } from './errors.ts'
export type { WeirClient } from './contracts.ts'
export type { FromWeir, ToWeir } from './contract/frames.ts'
export type { Metrics } from './metrics/metrics.ts'
export type { Ports } from './ports/index.ts'
export type { MeasuredMetrics } from './ports/metric-store.ts'
export type { Conversation } from './ports/upstream.ts'
export type { CallTrace } from './ports/tracer.ts'
export { refusedWidget, usageWidget } from './usage/widget.ts'
export { seconds } from './ports/clock.ts'
export { soundSeconds } from './pricing/media-tokens.ts'
export { charge, type Charge, type ChargeLine } from './pricing/charge.ts'
export { findPrice } from './pricing/price-book.ts'
export type { Price } from './pricing/price.ts'
export { defaultSettings } from './settings/snapshot.ts'
export type { Settings } from './settings/index.ts'
export { anthropicMessages } from './dialects/anthropic-messages/index.ts'
export { geminiBatchEmbedContents, geminiEmbedContent } from './dialects/embeddings/gemini-embeddings.ts'
export { geminiGenerate } from './dialects/gemini-generate/index.ts'
export { openaiChat } from './dialects/openai-chat/index.ts'
export { openaiCompletions } from './dialects/openai-completions.ts'
export { openaiEmbeddings, openaiModerations } from './dialects/embeddings/openai-embeddings.ts'
export { openaiImageEdits, openaiImages, openaiImageVariations } from './dialects/media/openai-images.ts'
export { openaiSpeech, openaiTranscriptions, openaiTranslations } from './dialects/media/openai-audio.ts'
export { openaiRealtime } from './dialects/openai-realtime.ts'
export { openaiResponses } from './dialects/openai-responses/index.ts'
export { rerank } from './dialects/embeddings/rerank.ts'
export { encodeFrame } from './dialects/answers/frames.ts'
export { admitToken } from './relay/admission.ts'
export { addProvider } from './providers/index.ts'
export {
  bearer,
  names,
  provider,
  type UpstreamEndpoint,
  type UpstreamEndpoint as Door,
  type Provider,
} from './providers/provider.ts'
export { getBilling, getBilling as billingOf, getTokenUsage } from './relay/billing.ts'
export type { AnswerMemory, Call, CallCaller, Head, RememberedAnswer, Reply } from './relay/call.ts'
export type { UnreadCall } from './relay/failure.ts'
export {
  buildFailedStream,
  buildFailedStream as failedStream,
  isUnexpected,
  toCallFailure,
  toCallFailure as failureOf,
  withRequestId,
} from './relay/failure.ts'
export { findModel, type ListedModel } from './relay/model-candidates.ts'
export type { RealtimeSession } from './relay/realtime/session.ts'
export { createAbortSource, createAbortSource as createStop } from './relay/call.ts'
export type { TaskReply } from './relay/tasks/task-reader.ts'
export { readPresentedKey, splitPin, type PresentedKey, type Token } from './tokens/token.ts'
export type { User } from './users/user.ts'
