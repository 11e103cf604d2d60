using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Keeps published policies in a PostgreSQL database, in the tables that logs use. Of several publishers the server
/// lets one make an entry. Thread-safe. The data source is the caller's, with its bounds on connections, and is not
/// disposed. The tables are created at the first use; who only follows needs the right to <c>SELECT</c>, once they are
/// there.
/// </summary>
internal sealed class PostgreSqlPolicyEntries : DevicePolicyEntries
{
    /// <summary>Entries in a database.</summary>
    /// <param name="source">The database.</param>
    /// <param name="schema">The schema that the tables are in; as <see cref="PostgreSqlLogOptions.Schema"/>.</param>
    /// <param name="prefix">
    /// Tells several places in one schema apart; as <see cref="PostgreSqlLogOptions.KeyPrefix"/>.
    /// </param>
    public PostgreSqlPolicyEntries(NpgsqlDataSource source, string schema = "polyjuice", string prefix = "")
        : this(PostgreSqlLogDevice.OfContent(source, PostgreSqlDeviceSettings.Policies, schema, prefix))
    {
    }

    private PostgreSqlPolicyEntries(PostgreSqlLogDevice device)
        : base(device, device.PrepareContentAsync)
    {
    }
}
