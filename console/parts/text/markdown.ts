// Markdown to HTML: the subset that notices and home pages use. The result is not trusted; see rich-text.tsx.

/** Converts Markdown blocks to elements. Blocks that already are HTML pass unchanged. */
export function markdownToHtml(source: string): string {
  const blocks = source.replace(/\r\n?/g, '\n').split(/\n(?:[ \t]*\n)+/)
  return joinFences(blocks).map(blockToHtml).join('\n')
}

/** Joins the parts of fenced blocks, which may contain blank lines. */
function joinFences(blocks: string[]): string[] {
  const joined: string[] = []
  let open = false
  for (const block of blocks) {
    if (open) joined[joined.length - 1] += `\n\n${block}`
    else joined.push(block)
    const fences = block.match(/^```/gm)?.length ?? 0
    if (fences % 2 === 1) open = !open
  }
  return joined
}

function blockToHtml(block: string): string {
  const text = block.trim()
  const fence = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text)
  if (fence) return `<pre><code>${escape(fence[1]!)}</code></pre>`
  if (text.startsWith('<')) return text
  const heading = /^(#{1,6}) +(.+?) *#*(?:\n([\s\S]*))?$/.exec(text)
  if (heading) {
    const level = heading[1]!.length
    return `<h${level}>${inline(heading[2]!)}</h${level}>${heading[3] ? blockToHtml(heading[3]) : ''}`
  }
  if (/^(-{3,}|\*{3,}|_{3,})$/.test(text)) return '<hr>'
  const lines = text.split('\n')
  if (lines.every((line) => /^[-*+] /.test(line))) return list('ul', lines, /^[-*+] /)
  if (lines.every((line) => /^\d+[.)] /.test(line))) return list('ol', lines, /^\d+[.)] /)
  if (lines.every((line) => line.startsWith('>'))) {
    return `<blockquote>${blockToHtml(lines.map((line) => line.replace(/^> ?/, '')).join('\n'))}</blockquote>`
  }
  return text === '' ? '' : `<p>${lines.map(inline).join('<br>')}</p>`
}

const list = (tag: string, lines: string[], marker: RegExp) =>
  `<${tag}>${lines.map((line) => `<li>${inline(line.replace(marker, ''))}</li>`).join('')}</${tag}>`

/** Code is converted first, so that its content is not read as emphasis. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`[^`]+`$/.test(part)
        ? `<code>${escape(part.slice(1, -1))}</code>`
        : part
            .replace(
              /!\[([^\]]*)\]\(([^\s)]+)\)/g,
              (_, alt: string, src: string) => `<img alt="${quote(alt)}" src="${quote(src)}">`,
            )
            .replace(
              /\[([^\]]+)\]\(([^\s)]+)\)/g,
              (_, label: string, href: string) => `<a href="${quote(href)}">${label}</a>`,
            )
            .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
            .replace(/(^|[^*\w])\*([^*\s][^*]*)\*/g, '$1<em>$2</em>')
            .replace(/~~([^~]+)~~/g, '<del>$1</del>'),
    )
    .join('')
}

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const quote = (text: string) => escape(text).replace(/"/g, '&quot;')
