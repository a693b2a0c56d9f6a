"""What people look at: tables and pages."""
