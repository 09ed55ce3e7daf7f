// A page of the operator: text that is rebuilt safely, or the address of a page on another site, framed.
import { ForeignFrame } from '../overlay/foreign-frame.tsx'
import { RichContent } from './rich-text.tsx'
import './operators-page.css'

interface Props {
  content: string
  /** Accessible name of a framed page. */
  title: string
}

export function OperatorsPage({ content, title }: Props) {
  return content.startsWith('https://') ? (
    <ForeignFrame address={content} title={title} />
  ) : (
    <article className="own-page">
      <RichContent source={content} />
    </article>
  )
}
