// The statuses of refusals. Most are 200 with `success: false`; the others stand here: which refusals have them, what they
// mean, and which endpoints answer with them.
import { z } from 'zod'
import type { ErrorCode, ErrorKind } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'

interface RefusalStatus {
  status: number
  kind?: ErrorKind
  codes?: readonly ErrorCode[]
  description: string
  /** Endpoints that answer with it; nothing where no endpoint was found. */
  when?(endpoint: Endpoint): boolean
}

/** Does it have to be known who asks, or from which page? */
const asksWho = ({ access, changes, anyOrigin }: Endpoint): boolean =>
  access !== 'public' || changes === true || anyOrigin === true
const takesBody = ({ body, changes }: Endpoint): boolean => body !== undefined || changes === true
const always = (): boolean => true

/** Refused before anything is read, without a word. */
export const HEAD_TOO_LARGE = 431

export const documentedRefusals: readonly RefusalStatus[] = [
  {
    status: 400,
    codes: ['request.unreadable', 'request.too_deep', 'request.too_many_values'],
    description: 'The request cannot be read',
    when: always,
  },
  {
    status: 401,
    kind: 'unauthenticated',
    description: 'Nobody is signed in, or the key or the access token is not known',
    when: asksWho,
  },
  {
    status: 403,
    codes: ['oauth.state'],
    description: 'The sign-in was not begun by this browser',
    when: ({ path }) => path.startsWith('/api/oauth/'),
  },
  { status: 404, codes: ['request.unknown_path'], description: 'There is no such path' },
  { status: 405, codes: ['request.wrong_method'], description: 'The path is there for another method' },
  {
    status: 409,
    codes: ['edit.conflict'],
    description: 'It was changed since the version that the request names: nothing is written',
    when: ({ body }) => body instanceof z.ZodObject && 'version' in body.shape,
  },
  { status: 413, codes: ['request.too_large'], description: 'The body is too large', when: takesBody },
  { status: 415, codes: ['request.encoding', 'request.packed'], description: 'The body is packed', when: takesBody },
  {
    status: 429,
    kind: 'limited',
    description: 'Too many requests: wait for as long as Retry-After says',
    when: always,
  },
  { status: HEAD_TOO_LARGE, description: 'The head of the request is too large', when: always },
  {
    status: 500,
    codes: ['request.taken'],
    description: 'The program that serves Weir has read the body',
    when: takesBody,
  },
  { status: 500, kind: 'bug', description: 'A fault of Weir', when: always },
  { status: 503, codes: ['storage.away'], description: 'The database is away', when: always },
]

export const getHttpStatus = ({ code, kind }: { code: ErrorCode; kind: ErrorKind }): number =>
  (documentedRefusals.find(({ codes }) => codes?.includes(code)) ?? documentedRefusals.find((row) => row.kind === kind))
    ?.status ?? 200
