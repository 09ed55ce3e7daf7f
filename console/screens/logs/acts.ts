// Acts of the command palette on the log: the calls of a user, a channel, a token or a model, and one call by its
// request id.
import { declareActs, type ActOn, type HitKind } from '../act.ts'
import type { Phrase } from '../../data/texts.tsx'
import type { Screen } from '../screen.ts'

/** Returns an act that shows the calls of a month for one item, by the filter of the log for it. */
const createCallsAct = (
  about: HitKind,
  filter: string,
  value: 'id' | 'name',
  title: Phrase,
  access: Screen['access'],
): ActOn => ({
  key: `logs.${about}`,
  title,
  access,
  about,
  run: (go, hit) => go(`/log?${new URLSearchParams({ [filter]: hit[value], span: 'month' }).toString()}`),
})

export const declaration = declareActs({
  opens: {
    call: ({ id }) => `/log/${encodeURIComponent(id)}`,
  },
  acts: [
    createCallsAct('user', 'username', 'name', { en: 'Open the log of a user…', zh: '查看用户的日志…' }, 'admin'),
    createCallsAct('channel', 'channel', 'id', { en: 'Open the log of a channel…', zh: '查看渠道的日志…' }, 'admin'),
    createCallsAct('token', 'token_name', 'name', { en: 'Open the log of a token…', zh: '查看令牌的日志…' }, 'user'),
    createCallsAct('model', 'model_name', 'name', { en: 'Open the log of a model…', zh: '查看模型的日志…' }, 'user'),
  ],
})
