#!/usr/bin/env node
// This file is committed and executable, so that npm can link the command before the build.
import '../dist/main.js'
