// Times as people read them, in the browser's time zone.

const pad = (n: number) => String(n).padStart(2, '0')

/** Epoch seconds as `YYYY-MM-DD HH:mm:ss`. */
export function timeText(seconds: number): string {
  const t = new Date(seconds * 1000)
  const day = `${t.getFullYear()}-${pad(t.getMonth() + 1)}-${pad(t.getDate())}`
  return `${day} ${pad(t.getHours())}:${pad(t.getMinutes())}:${pad(t.getSeconds())}`
}

export const nowSeconds = () => Math.floor(Date.now() / 1000)

/** A time in a list; in a table's cell the hour stands below the day. */
export function Time({ seconds }: { seconds: number }) {
  const [day, hour] = timeText(seconds).split(' ')
  return (
    <time className="time" dateTime={new Date(seconds * 1000).toISOString()}>
      <span>{day}</span> <span>{hour}</span>
    </time>
  )
}
