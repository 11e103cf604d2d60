using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Hears from a connection whether standbys may lack what it commits: a commit that waits for a standby is not taken
/// back when that wait is given up. The server answers "done" then, and shows the row to everybody, although a failover
/// would lose it. All that tells is a warning.
/// </summary>
internal sealed class StandbyWarning
{
    private PostgresNotice? _said;

    /// <summary>Hears what the connection says from now on.</summary>
    public StandbyWarning(NpgsqlConnection connection) => connection.Notice += (_, said) => Hear(said.Notice);

    /// <summary>Standbys have it that are asked for.</summary>
    /// <exception cref="IOException">They may not.</exception>
    public void Require(PostgreSqlErrors errors, string what, string name)
    {
        if (_said is { } warning) throw errors.NotReplicated(warning, what, name);
    }

    // Not by its text, which may be in any language. Nothing else that is written here gives reason for a warning.
    private void Hear(PostgresNotice said)
    {
        if (said.InvariantSeverity == "WARNING") _said = said;
    }
}
