#!/usr/bin/env node
// Committed and executable, so that npm can link the command before the build.
import '../dist/main.js'
