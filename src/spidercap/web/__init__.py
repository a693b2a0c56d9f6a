"""What every page that we serve needs: an address, keys in links, requests that are checked, limits, headers."""
