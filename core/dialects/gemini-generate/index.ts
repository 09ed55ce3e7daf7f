// Google's generateContent and streamGenerateContent, Gemini's format. The model is part of the address.
import { assembleDialect } from '../codec.ts'
import { COST_SCANNER, FORMAT_NAME } from './fields.ts'
import * as head from './head.ts'
import { generateObjects } from './head.ts'
import { USAGE_BUCKETS, addUsageMetadata } from './usage.ts'
import * as errors from './error.ts'
import * as reply from './reply.ts'
import * as patch from './patch.ts'
import * as request from './request.ts'
import * as watch from './watch.ts'
import * as writeRequest from './write-request.ts'
import type { TokenCount } from '../dialect.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import { asFiniteNumber, asObject, getMember, parseJsonBytes } from '../json/json-value.ts'

// Converts token counting of prompts to and from Google's format.

const promptTokenCount: TokenCount = {
  // Only plain turns can be counted directly. With a system prompt and tools they are nested as a whole request.
  ask: (request, model) =>
    toJsonBytes({ generateContentRequest: { model: `models/${model}`, ...asObject(parseJsonBytes(request)) } }),
  read: (answer) => asFiniteNumber(getMember(parseJsonBytes(answer), 'totalTokens')),
  write: (totalTokens) =>
    toJsonBytes({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }),
}

export const geminiGenerate = assembleDialect(
  {
    name: FORMAT_NAME,
    paths: ['/v1beta/models/{model}:generateContent', '/v1beta/models/{model}:streamGenerateContent'],
    words: COST_SCANNER,
    usageKeys: ['usageMetadata', 'usage_metadata'],
    modelKeys: ['modelVersion'],
    idPrefix: '',
    buckets: USAGE_BUCKETS,
    proves: true,
    count: promptTokenCount,
    objects: generateObjects,
    withUsage: addUsageMetadata,
    finalStatus: errors.FINAL_ERROR_STATUS,
  },
  { ...head, ...request, ...writeRequest, ...patch, ...watch, ...reply, ...errors },
)
