// Settings of the relay: retries, time limits, keep-alive.
import { z } from 'zod'
import { choice, count, flag, json, setting } from './setting.ts'

const section = 'relay'

/** What becomes of an answer whose caller leaves. */
export const HANG_UPS = ['auto', 'finish', 'abort'] as const

export const relay = {
  RetryTimes: setting({
    value: count(2, { max: 20 }),
    label: 'Retries',
    help: 'How many further channels a failing call may try',
    section,
    writer: 'admin',
  }),
  FallbackModels: setting({
    value: json(z.record(z.string(), z.record(z.string(), z.array(z.string()))), {}),
    label: 'Fallback models',
    help: 'JSON {group: {model: [models]}}: tried in this order, each at its own price, when every channel of the model has failed. A token that names its own goes by those',
    section,
    writer: 'admin',
  }),
  'relay.first_content_seconds': setting({
    value: count(0, { max: 3600 }),
    label: 'Longest wait for the first content',
    help: 'A stream that says nothing for this long is given up and the next channel is tried; 0 for no limit. A channel may set its own in its setting: first_content_timeout_seconds, for all models or by model',
    section,
    writer: 'admin',
    unit: 'seconds',
  }),
  'relay.idle_timeout_seconds': setting({
    value: count(120, { min: 1, max: 3600 }),
    label: 'Longest silence',
    help: 'An upstream that sends nothing for this long is given up. A channel may set its own in its setting: idle_timeout_seconds',
    section,
    writer: 'admin',
    unit: 'seconds',
  }),
  'relay.hang_up': setting({
    value: choice(HANG_UPS, 'auto'),
    label: 'When a caller hangs up',
    help: 'finish: the answer is read on in the background and charged by its usage. abort: the provider is told at once, and what came is charged. auto: abort where all that costs was seen (plain streamed text), else finish. A channel may say otherwise in its setting: hang_up; and bills_cut_streams: false where its provider bills nothing for streams that are cut',
    section,
    writer: 'proven_admin',
  }),
  'relay.hang_up_seconds': setting({
    value: count(600, { min: 1, max: 3600 }),
    label: 'Longest reading on',
    help: 'An answer whose caller has hung up is read on for at most this long',
    section,
    writer: 'admin',
    unit: 'seconds',
  }),
  'relay.max_body_megabytes': setting({
    value: count(32, { min: 1, max: 1024 }),
    label: 'Largest request body',
    help: 'Bigger requests are refused',
    section,
    writer: 'admin',
    unit: 'MiB',
  }),
  'global.pass_through_request_enabled': setting({
    value: flag(false),
    label: 'Pass requests through',
    help: 'Request bodies go to the provider unchanged; mapping and adapters stop working',
    section,
    writer: 'admin',
  }),
  'general_setting.ping_interval_enabled': setting({
    value: flag(false),
    label: 'Keep-alive pings',
    help: 'Open streams get a comment line now and then, so that proxies do not close them',
    section,
    writer: 'admin',
  }),
  'general_setting.ping_interval_seconds': setting({
    value: count(60, { min: 1, max: 3600 }),
    label: 'Ping interval',
    help: 'Time between two pings',
    section,
    writer: 'admin',
    unit: 'seconds',
  }),
  'responses.keep_hours': setting({
    value: count(720, { max: 8760 }),
    label: 'Keep answers',
    help: 'How long answers of channels that keep none themselves (Anthropic, Gemini, …) are kept for callers of the Responses API, encrypted, so that they can be gone on with by previous_response_id; 0 keeps none. An answer asked for with store: false is never kept',
    section,
    writer: 'admin',
    unit: 'hours',
  }),
  'responses.keep_megabytes': setting({
    value: count(8, { min: 1, max: 256 }),
    label: 'Largest kept answer',
    help: 'With its whole conversation; larger ones are not kept',
    section,
    writer: 'admin',
    unit: 'MiB',
  }),
  'responses.keep_per_user': setting({
    value: count(1000, { min: 1, max: 1_000_000 }),
    label: 'Kept answers of a user',
    help: 'Beyond it the oldest go',
    section,
    writer: 'admin',
  }),
  'responses.keep_megabytes_per_user': setting({
    value: count(128, { min: 1, max: 1_048_576 }),
    label: 'Size of the kept answers of a user',
    help: 'Beyond it the oldest go',
    section,
    writer: 'admin',
    unit: 'MiB',
  }),
}
