using System.ComponentModel.DataAnnotations;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Names that become part of statements, or of the names in the tables: by the rules of the options.</summary>
internal static class PostgreSqlNames
{
    /// <summary>A schema's name, if it may be one.</summary>
    /// <exception cref="ArgumentException">It may not; the message says what may.</exception>
    public static string CheckSchema(string schema) =>
        Check(schema, nameof(PostgreSqlLogOptions.Schema), nameof(schema));

    /// <summary>A prefix, if it may be one.</summary>
    /// <exception cref="ArgumentException">It may not; the message says what may.</exception>
    public static string CheckPrefix(string prefix) =>
        Check(prefix, nameof(PostgreSqlLogOptions.KeyPrefix), nameof(prefix));

    private static string Check(string value, string option, string parameter)
    {
        ArgumentNullException.ThrowIfNull(value, parameter);
        var results = new List<ValidationResult>();
        Validator.TryValidateProperty(
            value, new ValidationContext(new PostgreSqlLogOptions()) { MemberName = option }, results);
        return results.Count == 0 ? value : throw new ArgumentException(results[0].ErrorMessage, parameter);
    }
}
