// Acts of the command palette on the log: the calls of a user, a channel, a token or a model, and one call by its
// request id.
import { declareActs, type ItemAct, type HitKind } from '../act.ts'
import type { Translate } from '../../data/texts.tsx'
import type { ScreenDeclaration } from '../screen.ts'

/** Returns an act that shows the calls of a month for one item, by the filter of the log for it. */
const createCallsAct = (
  about: HitKind,
  filter: string,
  value: 'id' | 'name',
  title: (t: Translate) => string,
  access: ScreenDeclaration['access'],
): ItemAct => ({
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
    createCallsAct('user', 'username', 'name', (t) => t('Open the log of a user…'), 'admin'),
    createCallsAct('channel', 'channel', 'id', (t) => t('Open the log of a channel…'), 'admin'),
    createCallsAct('token', 'token_name', 'name', (t) => t('Open the log of a token…'), 'user'),
    createCallsAct('model', 'model_name', 'name', (t) => t('Open the log of a model…'), 'user'),
  ],
})
