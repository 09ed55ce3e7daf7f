// The web and the mail of a gateway in memory: answers as told, mails as sent.
import { GatewayError } from '../../core/errors.ts'
import type { OutgoingMail, Mailer } from '../../core/ports/mailer.ts'
import type { WebClient, WebReply, WebRequest } from '../../core/ports/web.ts'

type Answer = (request: WebRequest) => { status?: number; body?: unknown; certificate_ends?: number }

export interface MemoryWeb extends WebClient {
  requests: WebRequest[]
  /** What every address answers from now on; an object goes as JSON. */
  answer(answer: Answer): void
}

/** Nothing is reachable until `answer` is told. */
export function createMemoryWeb(): MemoryWeb {
  const requests: WebRequest[] = []
  let current: Answer = () => {
    throw new GatewayError('web.failed')
  }
  return {
    requests,
    answer: (next) => void (current = next),
    async send(request): Promise<WebReply> {
      requests.push(request)
      const { status = 200, body = {}, ...beside } = current(request)
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return { status, headers: {}, body: new TextEncoder().encode(text), ...beside }
    },
  }
}

export interface MemoryMailer extends Mailer {
  mails: OutgoingMail[]
}

export function createMemoryMailer(): MemoryMailer {
  const mails: OutgoingMail[] = []
  return { mails, send: async (mail) => void mails.push(mail) }
}
