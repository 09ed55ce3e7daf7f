// Acts of the command palette on channels.
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { queryClient } from '../../data/session.tsx'
import { loadTexts, translate } from '../../data/texts.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { declareActs } from '../act.ts'

const set = async (id: number, status: number) => {
  await apiClient.channels.update({ id, status })
  await queryClient.invalidateQueries({ queryKey: ['channels.list'] })
}

/** Asks first, with the models that would be lost, as the row of the channel does. */
async function mayDisable(id: number, name: string): Promise<boolean> {
  const [{ confirmDisable: mayRest }] = await Promise.all([import('./losses.tsx'), loadTexts('channels')])
  return mayRest([id], { title: translate('Disable {name}?', { name }), yes: translate('Disable') })
}

async function switchStatus(id: number, nextStatus: number) {
  const { name, status: before } = await apiClient.channels.get({ id })
  const isDisabling = nextStatus === CHANNEL_STATUS.disabled
  if (isDisabling && !(await mayDisable(id, name))) return
  await runWithUndo({
    message: translate(isDisabling ? '{name} disabled' : '{name} enabled', { name }),
    act: () => set(id, nextStatus),
    back: () => set(id, before),
  })
}

export const declaration = declareActs({
  opens: { channel: ({ id }) => `/channel/edit/${id}`, model: ({ id }, isAdmin) => modelPath(id, isAdmin) },
  acts: [
    {
      key: 'channels.create',
      title: (t) => t('Create channel'),
      access: 'admin',
      run: (go) => go('/channel/add'),
    },
    {
      key: 'channels.test',
      title: (t) => t('Test a channel…'),
      access: 'admin',
      about: 'channel',
      async run(_go, { id, name }) {
        const { time } = await apiClient.channels.test({ id: Number(id), model: '' })
        showNotice.success(translate('channel {name} passed, {t} seconds', { name, t: time.toFixed(2) }))
        await queryClient.invalidateQueries({ queryKey: ['channels.list'] })
      },
    },
    {
      key: 'channels.disable',
      title: (t) => t('Disable a channel…'),
      access: 'admin',
      about: 'channel',
      run: (_go, { id }) => switchStatus(Number(id), CHANNEL_STATUS.disabled),
    },
    {
      key: 'channels.enable',
      title: (t) => t('Enable a channel…'),
      access: 'admin',
      about: 'channel',
      run: (_go, { id }) => switchStatus(Number(id), CHANNEL_STATUS.enabled),
    },
  ],
})

/** Leads administrators to the channels that serve the model, others to their calls of it. */
const modelPath = (id: string, isAdmin: boolean) =>
  isAdmin ? `/channel?model=${encodeURIComponent(id)}` : `/log?model_name=${encodeURIComponent(id)}&span=month`
