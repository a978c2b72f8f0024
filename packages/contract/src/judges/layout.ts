import type { Exchange } from '../http/exchange.ts'

export const hasIndentedLine = ({ response }: Exchange): boolean => /\n[ \t]+\S/.test(response.body)

/** Whether a body is printed over several lines; one without members has but one. */
export const overLines = (exchange: Exchange): boolean =>
  hasIndentedLine(exchange) || /^(\{\}|\[\])$/.test(exchange.response.body.trim())

/** Whether it is printed exactly as was decided. */
export const indented = ({ response }: Exchange): boolean => {
  const text = response.body
  return text === `${JSON.stringify(JSON.parse(text), null, 2)}\n`
}
