// The callback addresses of this site for a sign-in service.
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { Copyable } from '../../../parts/copy.tsx'
import { Note } from '../../../parts/note.tsx'
import { words } from '../texts.ts'
import { useSettings } from '../use-settings.tsx'

export function CallbackNote({ service }: { service: string }) {
  const t = useTexts(words)
  const server = useSettings().textOf('ServerAddress') || window.location.origin
  const callback = `${server}/oauth/${service}`
  return (
    <Note>
      <div>{fillPhrase(t.homepage, { url: server })}</div>
      <div>{fillPhrase(t.callback, { url: '' })}</div>
      <Copyable text={callback} />
    </Note>
  )
}
