// Prints the options table for the README.
import { optionsTable } from '../src/options-table.ts'

console.log(optionsTable())
