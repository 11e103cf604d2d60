using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Refuses, by the option's name, what could not work.</summary>
internal sealed class PostgreSqlLogOptionsValidator : LogOptionsValidator<PostgreSqlLogOptions>
{
    /// <summary>The one.</summary>
    public static PostgreSqlLogOptionsValidator Instance { get; } = new();

    /// <inheritdoc/>
    protected override IEnumerable<string> Find(PostgreSqlLogOptions options)
    {
        if (options.DataSource is not null)
        {
            if (options.ConnectionString is not null) yield return "Set only one of ConnectionString and DataSource.";
            if (options.ConfigureDataSource is not null)
                yield return "ConfigureDataSource is used with ConnectionString only, and DataSource is set.";
            yield break;
        }

        // Nothing quotes the connection string, which may have a password.
        if (string.IsNullOrWhiteSpace(options.ConnectionString))
        {
            yield return "Nothing says where the database is: set ConnectionString, such as "
                + "Host=db;Database=orders;Username=orders;Password=…, or DataSource (ServiceKey in the "
                + "configuration).";
            yield break;
        }

        var (parsed, problem) = Parse(options.ConnectionString);
        if (parsed is null) yield return $"ConnectionString can't be read: {problem}";
        else if (string.IsNullOrWhiteSpace(parsed.Host)) yield return "ConnectionString names no Host.";
    }

    private static (NpgsqlConnectionStringBuilder? Parsed, string Problem) Parse(string text)
    {
        try
        {
            return (new NpgsqlConnectionStringBuilder(text), "");
        }
        catch (Exception exception) when (
            exception is ArgumentException or FormatException or InvalidOperationException or InvalidCastException)
        {
            // Its text may quote the secret.
            return (null, $"{exception.GetType().Name}. It is a list of KEY=VALUE with semicolons between them, with "
                + $"the keys of Npgsql.");
        }
    }
}
