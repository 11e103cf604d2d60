using Npgsql;
using Orleans.Configuration;
using Polyjuice.Tracing;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Keeps traces in a PostgreSQL database, in the tables that logs use. Thread-safe. The data source is the caller's,
/// with its bounds on connections, and is not disposed. The tables are created at the first use; who only reads needs
/// the right to <c>SELECT</c>, once they are there, and <c>DELETE</c> if files are to be deleted.
/// </summary>
internal sealed class PostgreSqlTraceSink : ITraceSink
{
    private readonly DeviceTraceSink _device;

    /// <summary>Traces in a database.</summary>
    /// <param name="source">The database.</param>
    /// <param name="schema">The schema that the tables are in; as <see cref="PostgreSqlLogOptions.Schema"/>.</param>
    /// <param name="prefix">
    /// Tells several places in one schema apart; as <see cref="PostgreSqlLogOptions.KeyPrefix"/>.
    /// </param>
    /// <exception cref="ArgumentException">
    /// The schema or the prefix can't be one; the message says what can.
    /// </exception>
    public PostgreSqlTraceSink(NpgsqlDataSource source, string schema = "polyjuice", string prefix = "")
    {
        var device = PostgreSqlLogDevice.OfContent(source, PostgreSqlDeviceSettings.Traces, schema, prefix);
        _device = new(device, device.PrepareContentAsync);
    }

    /// <summary>Reads what is written there, by this process and others.</summary>
    public ITraceSource Source => _device.Source;

    /// <inheritdoc/>
    public Task<Stream> CreateAsync(string name, CancellationToken cancellationToken) =>
        _device.CreateAsync(name, cancellationToken);
}
