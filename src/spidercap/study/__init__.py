"""The human study: a rating page, majority vote and sign test."""
