using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Keeps traces in a PostgreSQL database, in the tables that logs use. Thread-safe. The data source is the caller's,
/// with its bounds on connections, and is not disposed. The tables are created at the first use; who only reads needs
/// the right to <c>SELECT</c>, once they are there, and <c>DELETE</c> if files are to be deleted.
/// </summary>
public sealed class PostgreSqlTraceSink : DeviceTraceSink
{
    /// <summary>Traces in a database.</summary>
    /// <param name="source">The database.</param>
    /// <param name="schema">The schema that the tables are in; as <see cref="PostgreSqlLogOptions.Schema"/>.</param>
    /// <param name="prefix">Tells several places in one schema apart; as <see cref="PostgreSqlLogOptions.KeyPrefix"/>.</param>
    /// <exception cref="ArgumentException">The schema or the prefix can't be one; the message says what can.</exception>
    public PostgreSqlTraceSink(NpgsqlDataSource source, string schema = "polyjuice", string prefix = "")
        : this(PostgreSqlLogDevice.OfContent(source, PostgreSqlDeviceSettings.Traces, schema, prefix))
    {
    }

    private PostgreSqlTraceSink(PostgreSqlLogDevice device)
        : base(device, device.PrepareContentAsync)
    {
    }
}
