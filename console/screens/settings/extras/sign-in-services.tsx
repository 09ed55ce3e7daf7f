// Sign-in services that the operator adds, in addition to those of the settings: any that supports OpenID Connect.
import { useState } from 'react'
import { isRoot } from '../../../../core/users/user.ts'
import { apiClient } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useSignedInUser } from '../../../data/session.tsx'
import { useAction, useEndpointWithError } from '../../../data/use-endpoint.ts'
import { useText } from '../../../data/texts.tsx'
import { ConfirmedButton } from '../../../parts/overlay/confirm.tsx'
import { DeclaredField } from '../../../parts/form/declared-fields.tsx'
import { SidePanel } from '../../../parts/overlay/side-panel.tsx'
import { StateTag } from '../../../parts/text/tags.tsx'
import { Button } from '../../../semi.ts'
import { loginServiceForm } from '../form.built.ts'
import { useSettingsForm } from '../use-settings.tsx'

type StoredService = Awaited<ReturnType<typeof apiClient.auth.providerList>>[number]

export function SignInServices() {
  const t = useText()
  const { user } = useSignedInUser()
  const server = useSettingsForm().textOf('ServerAddress') || window.location.origin
  const list = useEndpointWithError(['auth.providerList'], () => apiClient.auth.providerList())
  const [edited, setEdited] = useState<StoredService | 'new' | null>(null)
  const [remove] = useAction(async (id: string) => {
    await apiClient.auth.providerDelete({ provider_id: id })
    showNotice.success(t('sign-in service deleted'))
    list.reload()
  })
  const mayChange = user !== null && isRoot(user)
  return (
    <div className="setting setting-extra">
      <h3>{t('More sign-in services (OpenID Connect)')}</h3>
      {list.data?.length === 0 && <p className="muted">{t('No further service yet')}</p>}
      <ul className="services">
        {list.data?.map((service) => (
          <li key={service.id}>
            <span className="service-name">
              {service.name} {!service.enabled && <StateTag color="white">{t('off', { context: 'service' })}</StateTag>}
              <span className="hint">{t('Callback address: {url}', { url: `${server}/oauth/${service.id}` })}</span>
            </span>
            {mayChange && (
              <span className="row-buttons">
                <Button size="small" theme="borderless" onClick={() => setEdited(service)}>
                  {t('Edit')}
                </Button>
                <ConfirmedButton
                  question={t('Delete the sign-in service {name}?', { name: service.name })}
                  body={t('Nobody can sign in with it any more; accounts created through it stay.')}
                  onConfirm={() => remove(service.id)}
                >
                  {t('Delete')}
                </ConfirmedButton>
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayChange && <Button onClick={() => setEdited('new')}>{t('Add service')}</Button>}
      {edited && (
        <ServicePanel
          service={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={list.reload}
        />
      )}
    </div>
  )
}

interface PanelProps {
  /** null to add a service. */
  service: StoredService | null
  onClose(): void
  onSaved(): void
}

const NEW = { id: '', name: '', well_known: '', client_id: '', scopes: 'openid profile email', enabled: true }

function ServicePanel({ service, onClose, onSaved }: PanelProps) {
  const t = useText()
  const [draft, setDraft] = useState(() => ({ ...NEW, ...service, client_secret: '' }))
  const [save, busy] = useAction(async () => {
    if (service) await apiClient.auth.providerUpdate({ ...draft, version: service.version })
    else await apiClient.auth.providerCreate(draft)
    showNotice.success(t('sign-in service saved'))
    onSaved()
    onClose()
  })
  const part = {
    form: loginServiceForm,
    draft,
    set: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={service ? t('Change {name}', { name: service.name }) : t('New sign-in service')}
      side={service ? 'right' : 'left'}
      busy={busy}
      submit={service ? t('Save') : t('Create')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {!service && <DeclaredField {...part} name="id" required />}
      <DeclaredField {...part} name="name" required />
      <DeclaredField {...part} name="well_known" required />
      <DeclaredField {...part} name="client_id" required />
      <DeclaredField {...part} name="client_secret" required={!service} />
      <DeclaredField {...part} name="scopes" />
      <DeclaredField {...part} name="enabled" />
    </SidePanel>
  )
}
