using System.ComponentModel.DataAnnotations;
using Orleans.Runtime;
using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Core;

/// <summary>Refuses, at start and by name, what could not work.</summary>
internal static class OptionsCheck
{
    /// <summary>Checks the ranges that an options class's attributes name.</summary>
    public static void Ranges(object options)
    {
        var results = new List<ValidationResult>();
        if (Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true)) return;
        throw new OrleansConfigurationException($"{options.GetType().Name}: {string.Join(" ", results.Select(result => result.ErrorMessage))}");
    }

    /// <summary>Checks that transactional states can be copied and stored.</summary>
    public static void States(GrainTypeMap types)
    {
        foreach (var grainClass in types.Classes)
        {
            foreach (var state in grainClass.Constructor.States)
            {
                try
                {
                    state.Validate();
                }
                catch (Exception exception) when (exception is CodecNotFoundException or InvalidOperationException)
                {
                    throw new OrleansConfigurationException(
                        $"Grain class {grainClass.Type} can't have a transactional state of type {state.Type}: {exception.Message}", exception);
                }
            }
        }
    }
}
