// The sessions of the user, each with its device and address, to be ended one by one or all others at once.
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpointWithFirstError } from '../../data/use-endpoint.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { ConfirmedButton } from '../../parts/overlay/confirm.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { PhraseWithTime, RelativeTime, WHEN } from '../../parts/text/time.tsx'
import { ItemList, ListItem, PersonalSection } from './layout.tsx'
import { LastUse } from './profile.tsx'
import { parseUserAgent } from './user-agent.ts'

export function SessionSection() {
  const t = useText()
  return (
    <PersonalSection id="sessions" title={t('Sessions')} lead={t('Your active sessions.')}>
      <SignedInAt />
    </PersonalSection>
  )
}

function SignedInAt() {
  const t = useText()
  const list = useEndpointWithFirstError(['users.sessions'], () => apiClient.users.sessions())
  const [end] = useAction(async (id: number) => {
    await apiClient.users.endSession({ id })
    showNotice.success(t('session ended'))
    list.reload()
  })
  const [endOthers] = useAction(async () => {
    await apiClient.users.endSessions()
    showNotice.success(t('all other sessions ended'))
    list.reload()
  })
  const others = list.data?.filter(({ current }) => !current).length ?? 0
  return (
    <>
      <ItemList label={t('Sessions')} list={list} empty={t('No session')}>
        {({ id, ip, user_agent, created_time, used_time, current }) => {
          const device = deviceName(user_agent, t)
          return (
            <ListItem
              name={
                <>
                  <span data-tip={user_agent || undefined} tabIndex={user_agent ? 0 : undefined}>
                    {device}
                  </span>
                  {current && <StateTag color="green">{t('this one')}</StateTag>}
                </>
              }
              facts={
                <>
                  <code>{ip}</code>
                  <PhraseWithTime text={t('Signed in {when}', WHEN)}>
                    <RelativeTime seconds={created_time} />
                  </PhraseWithTime>
                  <LastUse seconds={used_time} />
                </>
              }
            >
              {!current && (
                <ConfirmedButton
                  aria-label={`${t('End')} ${device} ${ip}`}
                  question={t('End the session of {device}?', { device })}
                  body={t('The device has to sign in again.')}
                  yes={t('End')}
                  onConfirm={() => end(id)}
                >
                  {t('End')}
                </ConfirmedButton>
              )}
            </ListItem>
          )
        }}
      </ItemList>
      {others > 0 && (
        <ConfirmedButton
          theme="light"
          size="default"
          question={t('End {n} other sessions?', { n: others })}
          body={t('The device has to sign in again.')}
          yes={t('End all others')}
          onConfirm={endOthers}
        >
          {t('End all others')}
        </ConfirmedButton>
      )}
    </>
  )
}

function deviceName(userAgent: string, t: Translate): string {
  const { browser, system } = parseUserAgent(userAgent)
  if (browser && system) return t('{browser} on {system}', { browser, system })
  return browser ?? system ?? t('Unknown device')
}
