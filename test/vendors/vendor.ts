// A vendor that is strict: over real HTTP on 127.0.0.1 it refuses what the real one refuses, in its own words, and says
// what a script tells it to say.
//
//   const vendor = await startOpenaiVendor(callThenAnswer({ tool: /read/, args, answer: 'done' }))
//   … a channel with base_url: vendor.url …
//   vendor.heard.filter(({ refusal }) => refusal)        // []
//   await vendor.close()
import { startUpstream, type ReceivedRequest, type TestReply } from '../support/upstream.ts'
import type { Script } from './script.ts'

/** What the vendor will not do. The status and the words are the vendor's own. */
export class Refusal extends Error {
  readonly status: number
  /** The field that it is about, as the vendor writes paths. */
  readonly param: string | null
  /** The vendor's word for this kind of refusal. */
  readonly code: string | null

  constructor(message: string, { status = 400, param = null, code = null }: Partial<Omit<Refusal, 'message'>> = {}) {
    super(message)
    this.status = status
    this.param = param
    this.code = code
  }
}

/** What was used, whole, whatever words the vendor has for it. Unit: tokens. */
export interface VendorUsage {
  /** Of the prompt, with what was read from the cache and written to it. */
  prompt: number
  cache_read: number
  cache_write: number
  /** Of the answer, with its thoughts. */
  completion: number
  reasoning: number
}

/** A key that no vendor takes, and a model that none has. */
export const WRONG_KEY = 'sk-wrong-key-0123456789'
export const NO_MODEL = 'no-such-model'

/** A request and what became of it. */
export interface Heard {
  request: ReceivedRequest
  refusal?: Refusal
  /** Of an answer to a prompt. */
  usage?: VendorUsage
}

/** What a vendor does with a request that names one of its doors. */
export type Answering = (request: ReceivedRequest) => { reply: TestReply; usage?: VendorUsage }

export interface Vendor {
  /** `http://127.0.0.1:PORT`, for a channel's base_url. */
  url: string
  /** Every request since the start, or since `forget`. */
  heard: Heard[]
  /** Says how to answer from now on. */
  follow(script: Script): void
  /** Forgets what was heard; the cache and what was issued stay. */
  forget(): void
  close(): Promise<void>
}

export interface VendorKind {
  /** Makes the vendor's doors; `script` is the one followed when a request comes. */
  open(script: Script): Answering
  /** The body of a refusal. */
  refused(refusal: Refusal): unknown
}

/** A vendor without its network: what it answers a request, and what it made of it. */
export function openVendor(kind: VendorKind, script: Script): (request: ReceivedRequest) => [TestReply, Heard] {
  const answer = kind.open(script)
  return (request) => {
    try {
      const { reply, usage } = answer(request)
      return [reply, { request, ...(usage ? { usage } : {}) }]
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(String(error), { status: 500 })
      return [
        { status: refusal.status, body: kind.refused(refusal) },
        { request, refusal },
      ]
    }
  }
}

export async function startVendor(kind: VendorKind, script: Script): Promise<Vendor> {
  const upstream = await startUpstream()
  const heard: Heard[] = []
  let followed = script
  const answer = openVendor(kind, (asked) => followed(asked))
  upstream.reply((request) => {
    const [reply, known] = answer(request)
    heard.push(known)
    return reply
  })
  return {
    url: upstream.url,
    heard,
    follow(next) {
      followed = next
    },
    forget() {
      heard.length = 0
      upstream.requests.length = 0
    },
    close: () => upstream.close(),
  }
}
