// Acts of the command palette on channels.
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { queryClient } from '../../data/session.tsx'
import { currentLanguage, fillPhrase } from '../../data/texts.tsx'
import { runWithUndo } from '../../parts/undo.ts'
import { declareActs } from '../act.ts'
import { words } from './texts.ts'

const set = async (id: number, status: number) => {
  await client.channels.update({ id, status })
  await queryClient.invalidateQueries({ queryKey: ['channels.list'] })
}

/** Asks first, with the models that would be lost, as the row of the channel does. */
async function mayDisable(id: number, name: string): Promise<boolean> {
  const [{ confirmDisable: mayRest }, { words: listWords }] = await Promise.all([
    import('./losses.tsx'),
    import('./list-texts.ts'),
  ])
  const title = fillPhrase(listWords[currentLanguage()].disableAsk, { name })
  return mayRest([id], { title, yes: words[currentLanguage()].disable })
}

async function switchStatus(id: number, nextStatus: number, phrase: 'enabledOne' | 'disabledOne') {
  const { name, status: before } = await client.channels.get({ id })
  if (nextStatus === CHANNEL_STATUS.disabled && !(await mayDisable(id, name))) return
  await runWithUndo({
    message: fillPhrase(words[currentLanguage()][phrase], { name }),
    act: () => set(id, nextStatus),
    back: () => set(id, before),
  })
}

export const declaration = declareActs({
  opens: { channel: ({ id }) => `/channel/edit/${id}`, model: ({ id }, isAdmin) => modelPath(id, isAdmin) },
  acts: [
    {
      key: 'channels.create',
      title: { en: 'Create channel', zh: '添加渠道' },
      access: 'admin',
      run: (go) => go('/channel/add'),
    },
    {
      key: 'channels.test',
      title: { en: 'Test a channel…', zh: '测试渠道…' },
      access: 'admin',
      about: 'channel',
      async run(_go, { id, name }) {
        const { time } = await client.channels.test({ id: Number(id), model: '' })
        notify.success(fillPhrase(words[currentLanguage()].passed, { name, t: time.toFixed(2) }))
        await queryClient.invalidateQueries({ queryKey: ['channels.list'] })
      },
    },
    {
      key: 'channels.disable',
      title: { en: 'Disable a channel…', zh: '禁用渠道…' },
      access: 'admin',
      about: 'channel',
      run: (_go, { id }) => switchStatus(Number(id), CHANNEL_STATUS.disabled, 'disabledOne'),
    },
    {
      key: 'channels.enable',
      title: { en: 'Enable a channel…', zh: '启用渠道…' },
      access: 'admin',
      about: 'channel',
      run: (_go, { id }) => switchStatus(Number(id), CHANNEL_STATUS.enabled, 'enabledOne'),
    },
  ],
})

/** Leads administrators to the channels that serve the model, others to their calls of it. */
const modelPath = (id: string, isAdmin: boolean) =>
  isAdmin ? `/channel?model=${encodeURIComponent(id)}` : `/log?model_name=${encodeURIComponent(id)}&span=month`
