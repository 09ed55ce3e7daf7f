// Ways to sign in without a password: the enabled services, each by its kind of flow, and a passkey.
import { IconComment, IconKey } from '@douyinfe/semi-icons'
import { type ComponentType, useState } from 'react'
import { signInServices } from '../../../core/settings/sign-in-services.ts'
import { apiClient } from '../../data/client.ts'
import { getInviter } from '../../data/inviter.ts'
import { requestPasskey, canUsePasskeys } from '../../data/passkeys.ts'
import { useServerStatus } from '../../data/status.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { Button } from '../../semi.ts'
import { SecondFactorDialog } from './code-dialog.tsx'
import { RedirectWay } from './redirect-way.tsx'
import { TelegramSignInWay } from './signed-way.tsx'
import type { WayProps } from './way.ts'

// WeChat: users follow the account of the site, receive a code there, and enter it here.

export function TypedCodeWay({ name, signIn, enter }: WayProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const [confirm, busy] = useAction(async (code: string) => {
    await signIn.human.withToken(async () => {
      const entered = await signIn.orCode(apiClient.auth.wechat({ code, ...getInviter() }))
      setOpen(false)
      if (entered?.data) enter(entered.data, '/')
    })
  })
  return (
    <>
      <Button
        block
        size="large"
        icon={<IconComment aria-hidden className="login-wechat" />}
        onClick={() => setOpen(true)}
      >
        {t('Continue with {name}', { name })}
      </Button>
      {open && (
        <SecondFactorDialog
          title={t('Continue with {name}', { name })}
          submit={t('Sign in')}
          busy={busy}
          onCode={(code) => void confirm(code)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** The flows, by how the user returns from the service. */
const ways = { redirect: RedirectWay, typed_code: TypedCodeWay, signed: TelegramSignInWay } satisfies Record<
  (typeof signInServices)[keyof typeof signInServices]['way'],
  ComponentType<WayProps>
>

interface SignInService {
  type: string
  name: string
  way: keyof typeof ways
}

/** Returns the enabled services: the built-in ones, then those of the operator. */
export function useServices(): SignInService[] {
  const status = useServerStatus()
  const { language } = useLanguage()
  const { data: own = [] } = useEndpoint(['auth.providers'], () => apiClient.auth.providers())
  const built = Object.entries(signInServices).filter(([, { shown }]) => status[shown])
  return [
    ...built.map(([type, { name, way }]) => ({ type, name: name[language], way })),
    ...own.map(({ id, name }) => ({ type: id, name, way: 'redirect' as const })),
  ]
}

/** @param isNew true for a visitor without an account, who has no passkey */
export function OtherWays({ isNew = false, ...props }: Omit<WayProps, 'type' | 'name'> & { isNew?: boolean }) {
  const t = useText()
  const services = useServices()
  const [signIn, asking] = useAction(async () => {
    const passkey = await requestPasskey(await apiClient.auth.passkeyAsk())
    if (passkey) props.enter(await apiClient.auth.passkeyLogin({ passkey }))
  })
  const offersPasskeys = !isNew && canUsePasskeys
  if (services.length === 0 && !offersPasskeys) return null
  return (
    <div className="login-ways">
      <div className="login-or">
        <span>{services.length > 0 ? t('Third-party login') : t('or')}</span>
      </div>
      {services.map(({ type, name, way }) => {
        const Way = ways[way]
        return <Way key={type} type={type} name={name} {...props} />
      })}
      {offersPasskeys && (
        <Button block size="large" icon={<IconKey aria-hidden />} loading={asking} onClick={() => void signIn()}>
          {t('Use a passkey')}
        </Button>
      )}
    </div>
  )
}
