using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Hosting.Configuration;

/// <summary>
/// Values of a configuration that can't be read. The binder names the key and a type of .NET; this says what may stand
/// there.
/// </summary>
internal static class ConfigurationValues
{
    private static readonly string[] s_units = ["Microseconds", "Milliseconds", "Seconds", "Bytes"];

    /// <summary>Refuses them.</summary>
    /// <param name="section">A section.</param>
    /// <param name="options">The type that it is bound to.</param>
    /// <exception cref="OrleansConfigurationException">There is one.</exception>
    public static void Check(IConfigurationSection section, Type options)
    {
        foreach (var member in options.GetProperties())
        {
            var own = section.GetSection(member.Name);
            if (ValuesOf(member.PropertyType) is { } values)
                foreach (var child in own.GetChildren()) Check(child, values, member);
            else Check(own, Nullable.GetUnderlyingType(member.PropertyType) ?? member.PropertyType, member);
        }
    }

    private static void Check(IConfigurationSection own, Type type, PropertyInfo member)
    {
        if (!type.IsEnum && !type.IsPrimitive && type != typeof(TimeSpan)) return;
        if (own.Value is not { Length: > 0 } value) return;
        try
        {
            TypeDescriptor.GetConverter(type).ConvertFromInvariantString(value);
        }
        catch (Exception exception) when (exception is FormatException or ArgumentException or OverflowException)
        {
            throw new OrleansConfigurationException(
                $"'{own.Path}' is '{value}', and must be {What(type, member)}.", exception);
        }
    }

    private static Type? ValuesOf(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IDictionary<,>)
            ? type.GetGenericArguments()[1]
            : null;

    private static string What(Type type, PropertyInfo member)
    {
        if (type.IsEnum) return $"one of {string.Join(", ", Enum.GetNames(type))}";
        if (type == typeof(bool)) return "true or false";
        var what = type == typeof(TimeSpan) ? "a time, as hours:minutes:seconds (00:00:10)"
            : type == typeof(double) || type == typeof(float) ? "a number"
            : "a whole number";
        var unit = s_units.FirstOrDefault(name => member.Name.EndsWith(name, StringComparison.Ordinal));
        if (unit is not null) what += $" of {unit.ToLowerInvariant()}";
        return member.GetCustomAttribute<RangeAttribute>() is { } range
            ? string.Create(CultureInfo.InvariantCulture, $"{what} between {range.Minimum} and {range.Maximum}")
            : what;
    }
}
