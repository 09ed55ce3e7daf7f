// External identities: the email address, and the services to sign in with.
import { useState } from 'react'
import { signInServices } from '../../../core/settings/sign-in-services.ts'
import type { ShownUser } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useServerStatus } from '../../data/status.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useRedirect } from '../../data/use-redirect.ts'
import { loadLater } from '../../parts/load-later.ts'
import { ConfirmedButton } from '../../parts/overlay/confirm.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { Button } from '../../semi.ts'
import { EmailPanel } from './email-panel.tsx'
import { ListItem, PersonalSection } from './layout.tsx'

const SecondFactorDialog = loadLater(async () => (await import('../login/code-dialog.tsx')).SecondFactorDialog)
const TelegramSignInWay = loadLater(async () => (await import('../login/signed-way.tsx')).TelegramSignInWay)

interface Props {
  user: ShownUser
  onChanged(): void
}

/** A sign-in service and the user's identity there. */
interface BoundService {
  type: string
  name: string
  way: (typeof signInServices)[keyof typeof signInServices]['way']
  /** The site has enabled it. */
  isOn: boolean
  /** The bound identity; null if there is none. */
  id: string | null
}

export function AccountBindings({ user, onChanged }: Props) {
  const t = useText()
  return (
    <PersonalSection id="bindings" title={t('Sign-in accounts')} lead={t('You can sign in with each bound account.')}>
      <ul className="things" aria-label={t('Sign-in accounts')}>
        <li>
          <Email address={user.email} onBound={onChanged} />
        </li>
        <Services user={user} onChanged={onChanged} />
      </ul>
    </PersonalSection>
  )
}

function Email({ address, onBound }: { address: string; onBound(): void }) {
  const t = useText()
  const [binding, setBinding] = useState(false)
  return (
    <>
      <ListItem name={t('Email')} facts={address || t('Not bound')}>
        <Button size="small" onClick={() => setBinding(true)}>
          {address ? t('Change email') : t('Bind email')}
        </Button>
      </ListItem>
      {binding && <EmailPanel onBound={onBound} onClose={() => setBinding(false)} />}
    </>
  )
}

function Services({ user, onChanged }: Props) {
  const bound = useEndpoint(['auth.bindings'], () => apiClient.auth.bindings())
  const services = useServices(user, bound.data)
  const onChange = () => {
    bound.reload()
    onChanged()
  }
  return services.map((service) => (
    <li key={service.type}>
      <Bound service={service} onChanged={onChange} />
    </li>
  ))
}

type Bindings = Awaited<ReturnType<typeof apiClient.auth.bindings>>
const NO_BINDINGS: Pick<Bindings, 'services' | 'offered'> = { services: [], offered: [] }

function useServices(user: ShownUser, { services, offered } = NO_BINDINGS): BoundService[] {
  const t = useText()
  const status = useServerStatus()
  const { language } = useLanguage()
  const bound = services.map(({ provider }) => provider)
  const built = Object.entries(signInServices).map(([type, { name, shown, way, field }]) => {
    const id = user[field]
    return { type, name: name[language], way, isOn: status[shown], id: id === '' ? null : id }
  })
  const others = offered.map(({ id, name }) => ({
    type: id,
    name,
    way: 'redirect' as const,
    isOn: true,
    id: bound.includes(id) ? t('bound') : null,
  }))
  const known = [...built, ...others]
  const gone = bound.filter((type) => !known.some((service) => service.type === type))
  return [
    ...known,
    ...gone.map((type) => ({ type, name: type, way: 'redirect' as const, isOn: false, id: t('bound') })),
  ]
}

function Bound({ service, onChanged }: { service: BoundService; onChanged(): void }) {
  const t = useText()
  const { type, name, isOn, id } = service
  const [unbind] = useAction(async () => {
    await apiClient.auth.unbind({ provider: type })
    showNotice.success(t('{name} unbound', { name }))
    onChanged()
  })
  return (
    <ListItem name={name} facts={id ?? t('Not bound')}>
      {id !== null ? (
        <ConfirmedButton
          aria-label={`${t('Unbind')} ${name}`}
          question={t('Unbind {name}?', { name })}
          body={t('You cannot sign in with it until you bind it again.')}
          yes={t('Unbind')}
          onConfirm={unbind}
        >
          {t('Unbind')}
        </ConfirmedButton>
      ) : isOn ? (
        <Bind service={service} onBound={onChanged} />
      ) : (
        <StateTag color="white">{t('not enabled')}</StateTag>
      )}
    </ListItem>
  )
}

/** Binds a service by its flow: through the browser, with an entered code, or by the service's button. */
function Bind({ service: { type, name, way }, onBound }: { service: BoundService; onBound(): void }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const [leave, leaving] = useRedirect(type)
  const [bindCode, busy] = useAction(async (code: string) => {
    await apiClient.auth.wechatBind({ code })
    showNotice.success(t('WeChat bound'))
    setOpen(false)
    onBound()
  })
  const title = t('Bind {name}', { name })
  return (
    <>
      <Button
        size="small"
        aria-label={`${t('Bind')} ${name}`}
        disabled={leaving}
        onClick={() => (way === 'redirect' ? void leave() : setOpen(true))}
      >
        {t('Bind')}
      </Button>
      {open && way === 'typed_code' && (
        <SecondFactorDialog
          title={title}
          submit={t('Bind')}
          busy={busy}
          onCode={(code) => void bindCode(code)}
          onClose={() => setOpen(false)}
        />
      )}
      {open && way === 'signed' && (
        <ModalDialog
          title={title}
          onClose={() => setOpen(false)}
          foot={<Button onClick={() => setOpen(false)}>{t('Close')}</Button>}
        >
          <TelegramSignInWay name={name} from={undefined} />
        </ModalDialog>
      )}
    </>
  )
}
