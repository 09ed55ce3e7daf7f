// The line below every screen: the operator's, or the built-in one.
import { useStatus } from '../data/status.ts'
import { useTexts } from '../data/texts.tsx'
import { RichText } from '../parts/rich-text.tsx'
import { words } from './texts.ts'

export function Footer() {
  const t = useTexts(words)
  const { footer_html, version } = useStatus()
  return (
    <footer className="footer">
      {footer_html ? <RichText source={footer_html} /> : `${t.credit}${version ? ` ${version}` : ''}`}
    </footer>
  )
}
