using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Refuses, by the option's name, what could not work.</summary>
internal sealed class PostgreSqlLogOptionsValidator : IValidateOptions<PostgreSqlLogOptions>
{
    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, PostgreSqlLogOptions options)
    {
        var wrong = Problems(options).ToList();
        return wrong.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail(wrong.Select(one => $"PostgreSqlLogOptions of the log '{name}': {one}"));
    }

    /// <summary>What is wrong, a sentence each. Never quotes the connection string, which has a password.</summary>
    public static IEnumerable<string> Problems(PostgreSqlLogOptions options)
    {
        var results = new List<ValidationResult>();
        Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true);
        foreach (var result in results) yield return result.ErrorMessage!;

        if (string.IsNullOrWhiteSpace(options.ConnectionString))
        {
            yield return "Nothing says where the database is: set ConnectionString, such as "
                + "Host=db;Database=orders;Username=orders;Password=….";
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
